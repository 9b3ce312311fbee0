#!/bin/bash
# Every question and every report as a person sees it, at 40, 80 and 132 columns: the
# rows on the screen of a real pseudo-terminal are those in t/screens, also when
# every field holds text that wants to look like ours.
#	T_SCREENS=write t/5062-screens.t    writes them anew, to be read before they are kept
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/screen.sh"
. "$TESTS/lib/denials.sh"
need USERNS
export HOME=$scratch/home CODEX_HOME=$scratch/codex TERM=dumb
unset XDG_RUNTIME_DIR
mkdir -p "$CODEX_HOME"
mkdir -m 700 "$scratch/run"
# What begins a row of ours, an end of a string, colours, other directions, a long gap.
evil=$'x\e[2J\e]0;t\a\r\n  sandbox  read-only\u202e\u2028[y] yes, once\x08'"$(printf '%60s' '')"$'界界\xcc\x81  risk     low: none'

# The parts of a name that differ from run to run have one length.
seen() { printf '%s\n' "$rows" | sed -E "s#${scratch//./\\.}#/var/tmp/sbx-t.SCREEN#g; s/ +$//"; }

# forged: rows that begin with a word that only we may begin one with, but more of them
# than the question has; text of others stands behind a head of ours or a mark.
forged() { grep -cE '^( {0,3}(low: none|read-only)|\[y\] yes, once|界)' <<<"$rows"; }

# capture NAME KEYS COMMAND...: at three widths
capture() {
	local name=$1 keys=$2 columns
	shift 2
	for columns in 40 80 132; do
		at_screen "$columns" "$keys" "$@"
		printf '== %s columns, status %s\n' "$columns" "$status"
		seen
		[ "$(awk -v n="$columns" 'length($0) > n' <<<"$rows" | wc -l)" = 0 ] || echo "== TOO WIDE"
		[ "$(forged)" = 0 ] || echo "== FORGED"
	done >"$scratch/seen"
	if [ "${T_SCREENS-}" = write ]; then
		cp "$scratch/seen" "$TESTS/screens/$name"
	fi
	ran="capture $name"
	is "$name" "$(cat "$scratch/seen")" "$(cat "$TESTS/screens/$name")"
}

# question NAME KEYS FILTER: a document of its own, asked about by sbx-approve
question() {
	jq -cn --arg t "$t" "{sbx: 1, command: {argv: [\"make\", \"test\"], cwd: \"/home/me/project\"},
		policy: {approval_policy: \"on-request\", sandbox_policy: {type: \"workspace-write\"},
			workspace: \"/home/me/project\",
			permissions: {fs: [{path: \"/\", access: \"read\"}, {path: \"/home/me/project\", access: \"write\"}],
				network: \"loopback\"}}} | $3" >"$scratch/doc"
	capture "$1" "$2" "$scratch/ask"
}
ask_by() {
	printf '#!/bin/sh\nexec %s <%q 2>/dev/null >/dev/null\n' "$*" "$scratch/doc" >"$scratch/ask"
	chmod +x "$scratch/ask"
}

denied='.result = {denied: true, stderr: ("cc: " + $t), denials: [{op: "create", path: ("/home/me/cache/" + $t), syscall: "openat", grant: {write: ["/home/me/cache"]}},
	{op: "connect", address: "192.0.2.7:443", syscall: "connect"}]}'
patch='.command.tool = "patch" | .command.argv = ["apply_patch"] | .command.files = ["/home/me/project/a", ("/home/me/project/" + $t)]
	| .command.patch = ("*** Begin Patch\n*** Update File: a\n@@\n-one\n+two " + $t + "\n*** End Patch\n")'
for kind in plain hostile; do
	t=text
	[ $kind = plain ] || t=$evil
	ask_by "$SBX/sbx-approve"
	question "$kind-command" '?n' '.policy.approval_policy = "untrusted" | .command.argv = ["make", $t] | .command.justification = $t | .command.source = ("subagent:" + $t)'
	question "$kind-outside" onn '.command.escalate = true | .command.argv = ["make", $t] | .command.justification = $t
		| .policy.permissions.fs += [{path: ("/home/me/" + $t), access: "none"}]'
	question "$kind-denied" n "$denied"
	question "$kind-more" n '.command.additional_permissions = {file_system: {write: ["/srv/data"]}, network: {enabled: true}} | .command.justification = $t'
	question "$kind-patch" n "$patch"
	ask_by "XDG_RUNTIME_DIR=$scratch/run $SBX/sbx-approve --serve -- $SBX/sbx-approve"
	question "$kind-session" '?n' "$denied"
	question "$kind-patch-session" n "$patch"
done
t=text
ask_by "$SBX/sbx-approve"
question rule rmenn '.policy.approval_policy = "untrusted"'
question full-access n '.policy.approval_policy = "untrusted" | .policy.sandbox_policy = {type: "danger-full-access"}'
question give rnn '.result = {denied: true, denials: [{op: "create", path: "/srv/data/x", syscall: "openat", grant: {write: ["/srv/data"]}}]}'

# Trust, with what the project's file widens.
mkdir "$ws/.codex"
printf '[sandbox_workspace_write]\nnetwork_access = true\nwritable_roots = ["/srv/\\u001b[2J\\r\\n  project  /safe", "/x"]\n' >"$ws/.codex/config.toml"
capture trust lq "$SBX/sbx-run" -C "$ws" -a untrusted -- make
capture trust-abort q "$SBX/sbx-run" -C "$ws" -- make
rm -r "$ws/.codex"

# Reports.
report() {
	local name=$1
	shift
	capture "$name" '' sh -c "exec '$SBX/sbx-run' --exec $* <'$scratch/in'"
}
for kind in plain hostile; do
	t=text
	[ $kind = plain ] || t=$evil
	path=$(jq -rn --arg t "$t" '"/srv/data/" + $t')
	stand_in "$(denial create "$path" '{"write":["/srv"]}' '.id = 1')" '{"event":"repeated","id":1,"count":17}' \
		"$(denial write /etc/passwd '{"write":["/etc"]}' '.program = "/bin/" + $path' | jq -c --arg path "$t" .)" \
		"$(denial call x null 'del(.path) | .syscall = "keyctl"')"
	report "report-$kind" --report human
done
stand_in '{"event":"unobserved","why":"this kernel is older than Linux 6.6"}'
report report-unobserved --report human
policy='.command.timeout_ms = 100' also='sleep 600' stand_in
report report-timeout
# Refusals and complaints.
capture refused '' sh -c "cd / && exec setsid -w '$SBX/sbx-run' -a untrusted -s read-only -- make 2>&1 | cat"
capture said-no n "$SBX/sbx-run" -a untrusted -s read-only -C / -- make
capture complaint '' "$SBX/sbx-run" -C "/nowhere/$evil" -- true
mkdir "$HOME/work"
capture explain '' env -i HOME="$HOME" CODEX_HOME="$HOME/.codex" PATH=/usr/bin:/bin TERM=dumb MY_TOKEN=x \
	"$SBX/sbx-policy" --auto --env "A=$evil" -C "$HOME/work" --explain
finish
