# shellcheck shell=bash disable=SC2154,SC2034
# What the tests of limits share: bombs, what became of them, and nothing left.

BOMB=$HELPER/bomb
cp "$BOMB" "$ws/bomb"

# bounded LIMITS OPTION... -- COMMAND...: as it is described in $out, for said()
bounded() {
	local limits=$1
	shift
	run timeout 120 "${around[@]}" "$SBX/sbx-run" --json -a never --limit "$limits" -C "$ws" "$@"
}
around=()

# said JQ-FILTER: of the document
said() { jq -rc "$1" "$scratch/.out"; }

# ended WHAT LIMIT OPTION: the last run was ended for that limit, and said so
ended() {
	is "$1: ended with 137" "$(said '.result | [.outcome, .exit_code, .signal]')" '["signalled",137,9]'
	is "... and says by what" "$(said '.result.denials | map(select(.op == "limit") | [.limit, .program, .allow_with])')" "[[\"$2\",\"bomb\",\"--limit $3\"]]"
}

# Cgroups of runs that are over: a run that lives, of another test, has the lock, but for
# its first moment; so this is to be asked again.
left_cgroups() {
	local dir
	find /sys/fs/cgroup -maxdepth 8 -type d -name 'sbx-limits-*' -user "$EUID" 2>/dev/null |
		while read -r dir; do
			! flock -n "$dir" true 2>/dev/null || echo "$dir"
		done
}

# Bombs in a directory of this test, by their numbers.
bombs_left() {
	local pid
	for pid in $(pgrep -f '^./bomb' -u "$EUID"); do
		case $(readlink "/proc/$pid/cwd") in "$scratch"/*) echo "$pid" ;; esac
	done
}
nothing_left() { [ -z "$(bombs_left)$(left_cgroups)" ]; }
