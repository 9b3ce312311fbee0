#!/bin/bash
# Every question and every report as a person sees it, at 40, 80 and 132 columns: the
# rows on the screen of a real pseudo-terminal are those in t/screens, also when
# every field holds text that wants to look like ours.
#	T_SCREENS=write t/5062-screens.t    writes them anew, to be read before they are kept
. "${0%/*}/lib/lib.sh"
slow
. "$TESTS/lib/screen.sh"
. "$TESTS/lib/denials.sh"
need USERNS
export HOME=$scratch/home CODEX_HOME=$scratch/codex TERM=dumb
unset XDG_RUNTIME_DIR
mkdir -p "$CODEX_HOME"
mkdir -m 700 "$scratch/run"
# What begins a row of ours, an end of a string, colours, other directions, a long gap.
evil=$'x\e[2J\e]0;t\a\r\n\t  sandbox  read-only\u202e\u2028[y] yes, once\x08'"$(printf '%60s' '')"$'界界\xcc\x81  risk     low: none'

# The parts of a name that differ from run to run have one length.
seen() { printf '%s\n' "$rows" | sed -E "s#${scratch//./\\.}#/var/tmp/sbx-t.SCREEN#g; s/[0-9]{2}:[0-9]{2}:[0-9]{2}/HH:MM:SS/; s/(kept as |--apply |--discard |^)[0-9a-f]{8}\b/\1PREVIEW_/g; s/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}/YYYY-MM-DD HH:MM/; s/ +$//"; }

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
		[ "$(LC_ALL=C.UTF-8 wc -L <<<"$rows")" -le "$columns" ] || echo "== TOO WIDE"
		[ "$(forged)" = 0 ] || echo "== FORGED"
		[ -n "$rows" ] || echo "== EMPTY"
	done >"$scratch/seen"
	if [ "${T_SCREENS-}" = write ]; then
		cp "$scratch/seen" "$TESTS/screens/$name"
	fi
	ran="capture $name"
	is "$name" "$(cat "$scratch/seen")" "$(cat "$TESTS/screens/$name")"
}

document='{sbx: 1, command: {argv: ["make", "test"], cwd: "/home/me/project"},
	policy: {approval_policy: "on-request", sandbox_policy: {type: "workspace-write"},
		workspace: "/home/me/project",
		permissions: {fs: [{path: "/", access: "read"}, {path: "/home/me/project", access: "write"}],
			network: "loopback"}}}'
# question NAME KEYS FILTER: a document of its own, asked about by sbx-approve
question() {
	jq -cn --arg t "$t" "$document | $3" >"$scratch/doc"
	capture "$1" "$2" "$scratch/ask"
}
ask_by() {
	printf '#!/bin/sh\nexec env %s <%q 2>/dev/null >/dev/null\n' "$*" "$scratch/doc" >"$scratch/ask"
	chmod +x "$scratch/ask"
}

denied='.result = {denied: true, stderr: ("cc: " + $t), denials: [{op: "create", path: ("/home/me/cache/" + $t), syscall: "openat", grant: {write: ["/home/me/cache"]}},
	{op: "connect", address: "192.0.2.7:443", syscall: "connect"}]}'
patch='.command.tool = "patch" | .command.argv = ["apply_patch"] | .command.files = ["/home/me/project/a", ("/home/me/project/" + $t)]
	| .command.patch = ("*** Begin Patch\n*** Update File: a\n@@\n-one\n+two " + $t + "\n*** End Patch\n")'
# Nothing but leaving is offered for a directory that a home lacks; an option makes it.
# In the home directory itself nothing else helps.
new='.result = {denied: true, stderr: $t, denials: [{op: "create", path: ("/home/me/new " + $t), syscall: "mkdirat"}]}'
# What a preview has changed, and what on-change asks about.
changed='.result.changes = {asked: true, id: "0a1b2c3d", diff: ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two " + $t + "\n"),
	list: [{kind: "changed", path: "/home/me/project/x"}, {kind: "made", path: ("/home/me/project/" + $t)},
		{kind: "removed", path: ("/home/me/project/" + $t + $t)}]}'
for kind in plain hostile; do
	t=text
	[ $kind = plain ] || t=$evil
	ask_by "HOME=/home/me $SBX/sbx-approve"
	question "$kind-new-directory" on "$new"
	question "$kind-in-home" n '.result = {denied: true, stderr: $t, denials: [{op: "create", path: "/home/me/file", syscall: "openat"}]}'
	ask_by "$SBX/sbx-approve"
	asks='later ' question "$kind-changes" '?n' "$changed"
	question "$kind-command" '?n' '.policy.approval_policy = "untrusted" | .command.argv = ["make", $t] | .command.justification = $t | .command.source = ("subagent:" + $t)'
	question "$kind-outside" onn '.command.escalate = true | .command.argv = ["make", $t] | .command.justification = $t
		| .policy.permissions.fs += [{path: ("/home/me/" + $t), access: "none"}]'
	question "$kind-denied" n "$denied"
	question "$kind-more" n '.command.additional_permissions = {write: ["/srv/data", ("/srv/" + $t)], network: "on"} | .command.justification = $t'
	question "$kind-patch" n "$patch"
	# What a model chooses beside the command, and what an assessor says of it.
	printf '%s\n' '#!/bin/sh' 'cat >/dev/null' "exec cat ${scratch@Q}/said" >"$scratch/assessor"
	chmod 755 "$scratch/assessor"
	jq -cn --arg t "$t" '{risk_level: "low", description: $t}' >"$scratch/said"
	question "$kind-chosen" n '.policy.approval_policy = "untrusted" | .command.cwd = ("/home/me/" + $t) | .command.env = {PATH: ("/" + $t), LD_PRELOAD: $t, A: $t}
		| .policy.features.experimental_sandbox_command_assessment = true | .policy.sbx.assessor.command = ["'"$scratch"'/assessor"]'
	ask_by "XDG_RUNTIME_DIR=$scratch/run $SBX/sbx-approve --serve -- $SBX/sbx-approve"
	question "$kind-session" '?n' "$denied"
	question "$kind-patch-session" n "$patch"
done
t=text
ask_by "$SBX/sbx-approve"
# Keys that are not offered, the habit of a shell (^Z), and ^L, which shows the question again.
asks='abort ' question wrong-keys $'xw\x1a\fn' "$denied"
question rule rmenn '.policy.approval_policy = "untrusted"'
question full-access n '.policy.approval_policy = "untrusted" | .policy.sandbox_policy = {type: "danger-full-access"}'
question give rnn '.result = {denied: true, denials: [{op: "create", path: "/srv/data/x", syscall: "openat", grant: {write: ["/srv/data"]}}]}'

# Ten thousand bytes in every field: the head and the tail stand there, in rows of ours,
# and that something is left out.
long=$(printf '%02000d[y] yes, once  risk     low: none\t\xe2\x80\xae%03000d\xcc\x81\xcc\x81%05000d' 0 0 0)
long_question() {
	local columns wide=0 forged=0 rowless=0
	jq -cn --arg t "$long" "$document | $2" >"$scratch/doc"
	for columns in 40 132; do
		at_screen "$columns" n "$scratch/ask"
		[ "$(LC_ALL=C.UTF-8 wc -L <<<"$rows")" -le "$columns" ] || wide=1
		[ "$(forged)" = 0 ] || forged=1
		# Text of others is in no row of its own: each begins with two blanks or our name.
		grep -qvE '^$|^  |^sbx-approve: |^\| ' <<<"$rows" && rowless=1
	done
	is "$1, ten thousand bytes: too wide, forged, at the margin" "$wide$forged$rowless" 000
	like "... and what is left out is said" "$rows" 'NOT shown|more: v shows them|\[[0-9]+ blanks\]'
}
ask_by "$SBX/sbx-approve"
long_question command '.policy.approval_policy = "untrusted" | .command.argv = ["make", $t] | .command.justification = $t | .command.cwd = ("/" + $t)'
long_question denied "$denied"
long_question patch "$patch"
asks='later ' long_question changes "$changed"
# A string of the operating system has no NUL: it is refused, not cut.
for filter in '.command.argv = ["make", "a\u0000b"]' '.command.cwd = "/a\u0000b"' '.command.justification = "a\u0000b"' "$denied"' | .result.denials[0].path = "/a\u0000b"'; do
	jq -cn --arg t text "$document | .policy.approval_policy = \"untrusted\" | $filter" >"$scratch/doc"
	at_screen 80 n "$scratch/ask"
	unlike "a NUL in ${filter:0:50}: no row has what is before it alone" "$rows" '(^| )/?a( |$)'
done

# An inbox: one was given something, another waits.
cat >"$scratch/approver" <<END
#!/bin/sh
case \$(cat) in *'"denials":[]'*) touch $scratch/asking; exec sleep 600 ;; esac
echo '{"decision":"approved_for_session"}'
END
chmod +x "$scratch/approver"
inbox="rm -f $scratch/asking; $SBX/sbx-approve <$scratch/first; setsid $SBX/sbx-approve <$scratch/doc & while [ ! -e $scratch/asking ]; do sleep 0.02; done; exec $SBX/sbx-approve --inbox"
printf '#!/bin/sh\nexport XDG_RUNTIME_DIR=%q\nexec %q --serve --approver %q -- sh -c %q >/dev/null 2>/dev/null\n' \
	"$scratch/run" "$SBX/sbx-approve" "$scratch/approver" "$inbox" >"$scratch/inbox"
chmod +x "$scratch/inbox"
for kind in plain hostile; do
	t=text
	[ $kind = plain ] || t=$evil
	jq -cn --arg t "$t" "$document | .command.argv = [\"cc\", \$t] | $denied" >"$scratch/first"
	jq -cn --arg t "$t" "$document | .command.argv = [\"make\", \$t] | .policy.approval_policy = \"untrusted\"
		| .command.source = (\"subagent:\" + \$t)" >"$scratch/doc"
	asks='abort |back |leave ' capture "$kind-inbox" $'1lg1nn?n\003' "$scratch/inbox"
done
# A host that a command waits for.
for kind in plain hostile; do
	t=text
	[ $kind = plain ] || t=$evil
	ask_by "XDG_RUNTIME_DIR=$scratch/run $SBX/sbx-approve --serve -- $SBX/sbx-approve"
	asks='abort |back |end the command ' question "$kind-host" '?pnn' '.command.argv = ["curl", $t] | .policy.permissions.network = "hosts"
		| .result = {waiting: {host: "registry.example", port: 443, program: ("/usr/bin/curl" + $t)}}'
done

# Trust, with what the project's file widens.
mkdir "$ws/.codex"
printf '[sandbox_workspace_write]\nnetwork_access = true\nwritable_roots = ["/srv/\\u001b[2J\\r\\n  project  /safe", "/x"]\n' >"$ws/.codex/config.toml"
capture trust lq "$SBX/sbx-run" -C "$ws" -a untrusted -- make
asks='abort ' capture trust-wrong-keys $'xWq' "$SBX/sbx-run" -C "$ws" -- make
capture trust-abort q "$SBX/sbx-run" -C "$ws" -- make
capture trusted '' "$SBX/sbx-policy" --trust "$ws"
"$SBX/sbx-policy" --untrust "$ws" >/dev/null
rm -r "$ws/.codex" "$CODEX_HOME"
mkdir "$CODEX_HOME"

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
	mkdir -p "$scratch/deep/$t"
	stand_in "$(denial create /srv/x null | jq -c --arg path "$scratch/deep/$t" '.path = $path + "/x" | .grant = {write: [$path]}')" \
		"$(denial connect x null 'del(.path) | .op = "look up" | .address = "192.0.2.53:53" | .grant = {network: "on"}')"
	report "report-again-$kind" --report human
	capture "not-found-$kind" '' "$SBX/sbx-run" -s read-only -a never --report off -C "$ws" -- "no such $t"
done
stand_in '{"event":"denial","id":1,"op":"limit","limit":"memory","value":8388608,"count":1}'
report report-limit --report human
stand_in '{"event":"unobserved","why":"this kernel is older than Linux 6.6"}'
report report-unobserved --report human
policy='.command.timeout_ms = 100' also='sleep 600' stand_in
report report-timeout
# A preview: what it changed, in files with such names; what is kept; the diff of it.
if have OVERLAY; then
	for kind in plain hostile; do
		t=text
		[ $kind = plain ] || t=$evil
		rm -rf "$ws" && mkdir "$ws" && printf 'all:\n\tone\n' >"$ws/Makefile"
		capture "preview-$kind" '' "$SBX/sbx-run" -s workspace-write -a never --preview --diff -C "$ws" -- \
			sh -c 'printf "all:\n\t\ttwo %s\n" "$1" >Makefile; echo three >"new $1"; ln -s "$1" link' - "$t"
		id=$("$SBX/sbx-run" --changes | tail -n 1 | cut -d ' ' -f 1)
		capture "kept-$kind" '' sh -c '"$1/sbx-run" --changes; exec "$1/sbx-run" --changes "$2"' - "$SBX" "$id"
		remove "$HOME/.local"
	done
else
	skip "what a preview changed" "no overlay can be mounted here"
fi
# Refusals and complaints.
asks='--help' capture waiting $'\003' "$SBX/sbx-select"
asks='ends it|terminal; ' capture waiting-mcp $'\004' "$SBX/sbx-run" --auto -C "$ws" --mcp
capture refused '' sh -c "cd / && exec setsid -w '$SBX/sbx-run' -a untrusted -s read-only -- make 2>&1 | cat"
capture said-no n "$SBX/sbx-run" -a untrusted -s read-only -C / -- make
capture complaint '' "$SBX/sbx-run" -C "/nowhere/$evil" -- true
mkdir "$HOME/work"
capture explain '' env -i HOME="$HOME" CODEX_HOME="$HOME/.codex" PATH=/usr/bin:/bin TERM=dumb MY_TOKEN=x \
	"$SBX/sbx-policy" --auto --env "A=$evil" -C "$HOME/work" --explain
finish
