#!/bin/bash
# sbx-run composes the real stages; each can be replaced, by option only, and
# no failure of one lets anything run.
. "${0%/*}/lib/lib.sh"

sbx=("$SBX/sbx-run" -s danger-full-access -a never -C "$ws")
touched=(touch "$ws/made")

# fake NAME SCRIPT: a stage that logs itself and does this
fake() {
	printf '#!/bin/sh\n%s\n' "$2" >"$scratch/$1"
	chmod 755 "$scratch/$1"
}
for name in policy approve select wrap; do
	fake "$name" "printf '%s\\n' \"$name \$*\" >>$scratch/log; exec $SBX/sbx-$name \"\$@\""
done
all=()
for name in policy approve select wrap; do all+=(--stage "$name=$scratch/$name"); done
run "${sbx[@]}" "${all[@]}" --timeout 9 --justification '--x y=z' --network=on -- echo a '' '--b'
is "all four replaced" "$status $out" "0 a  --b"
is "each ran once, options went to the policy as they came" "$(sort "$scratch/log")" \
	"$(printf '%s\n' 'approve ' \
		"policy --sandbox danger-full-access --ask-for-approval never --cd $ws --timeout 9 --justification --x y=z --network on -- echo a  --b" \
		'select ' 'wrap ')"
rm "$scratch/log"
run "${sbx[@]}" "${all[@]}" --json -- true
like "with --json the wrap knows" "$(cat "$scratch/log")" '^wrap --captured$'

for bad in policy=stage policy=./stage policy= nonsense=/bin/cat policy /bin/cat sbx-policy=/bin/cat; do
	run "${sbx[@]}" --stage "$bad" -- "${touched[@]}"
	is "--stage $bad" "$status" 125
done
run env SBX_STAGE="policy=$scratch/policy" SBX_STAGE_POLICY="$scratch/policy" PATH="$scratch:$PATH" \
	"${sbx[@]}" -- true
is "the environment replaces nothing" "$status $(grep -c policy "$scratch/log")" "0 1"
(cd "$scratch" && cp policy sbx-policy && "${sbx[@]}" -- true)
is "nor does the working directory" "$(grep -c policy "$scratch/log")" 1

# refuses WHAT CODE SCRIPT [PATTERN]: each stage in turn replaced by this
refuses() {
	fake broken "$3"
	for stage in policy approve select wrap; do
		run "${sbx[@]}" --stage "$stage=$scratch/broken" -- "${touched[@]}"
		is "$stage $1: status" "$status" "$2"
		ok "$stage $1: nothing ran" absent "$ws/made"
		if [ -n "${4-}" ]; then like "$stage $1: said" "$err" "$4"; fi
		rm -f "$ws/made"
	done
}
refuses "prints nothing" 125 'cat >/dev/null' '^sbx-run: the stages made no document'
refuses "prints junk" 125 'cat >/dev/null; echo junk' .
refuses "is killed" 125 'kill -KILL $$' 'ended by signal 9'
refuses "fails with an odd status" 125 'cat; exit 77' 'ended with status 77'
refuses "denies" 126 'cat; exit 1'
refuses "has bad input" 125 'cat >/dev/null; echo "stage: why" >&2; exit 3' '^stage: why'
fake broken 'cat; cat /dev/zero | head -c 100000000 | tr "\0" " "'
run "${sbx[@]}" --stage "wrap=$scratch/broken" -- "${touched[@]}"
is "a stage without an end of output" "$status" 125
fake broken "$SBX/sbx-wrap >$scratch/wrapped; cat $scratch/wrapped $scratch/wrapped"
run "${sbx[@]}" --stage "wrap=$scratch/broken" -- "${touched[@]}"
is "two documents for one command" "$status" 125
ok "and it ran neither" absent "$ws/made"
run "${sbx[@]}" --stage "wrap=$scratch/absent" -- "${touched[@]}"
is "a stage that is not there" "$status" 125
like "is named" "$err" "^sbx-run: .*$scratch/absent"

# --dry-run
run "${sbx[@]}" --dry-run -- "${touched[@]}"
is "--dry-run" "$status $(jq -c '[.command.argv,.exec.sandbox]' <<<"$out")" \
	"0 [[\"touch\",\"$ws/made\"],\"none\"]"
run_sbx -s workspace-write -a untrusted -C "$ws" --dry-run -- "${touched[@]}"
is "--dry-run of what is not approved" "$status $(jq -r .approval.decision <<<"$out")" "126 denied"
ok "nothing ran" absent "$ws/made"

# --explain
run env MY_TOKEN=x "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --explain -- "${touched[@]}"
is "--explain" "$status" 0
for line in "$ws .*write" 'decision +skip' 'type +linux-seccomp' 'backend +[a-z]' \
	'set +CODEX_SANDBOX_NETWORK_DISABLED=1' 'set +SBX_SANDBOX=linux-seccomp' 'MY_TOKEN +dropped'; do
	like "--explain says: $line" "$out" "$line"
done
is "each fact once" "$(grep -c MY_TOKEN <<<"$out")" 1
ok "nothing ran" absent "$ws/made"
run_sbx -s workspace-write -a untrusted -C "$ws" --explain -- "${touched[@]}"
is "--explain of what would be refused" "$status" 126
like "says so" "$out" 'decision +denied'
# One refusal is one line, by whoever refused; what is wrong with the machine is said as well.
run_sbx -s workspace-write -a untrusted -C "$ws" -- make
is "a refusal is said once" "$status $(wc -l <<<"$err")" "126 1"
like "... by who refused" "$err" '^sbx-run: not run: nobody to ask'
run_sbx -v -s workspace-write -a untrusted -C "$ws" -- make
like "-v: the stage is named" "$status $err" '^126 sbx-approve: denied: nobody to ask'
run_sbx -s workspace-write -a never -C "$ws" --stage select=/bin/false -- true
isnt "a stage that fails is not silent" "$status:$err" "125:"
run "$TRY" docker "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -c sbx.observe='"off"' --network loopback -- true
like "what sbx-select or sbx-wrap says comes through" "$status $err" '^125 sbx-run: '
finish
