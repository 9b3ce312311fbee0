#!/bin/bash
# Every way to start a command leads into the sandbox.
. "${0%/*}/lib/lib.sh"

probe=$outside/probe
cat >"$ws/script" <<END
#!/bin/sh
echo x >"$probe"
END
chmod +x "$ws/script"
in_document() {
	"$SBX/sbx-policy" -s workspace-write -a never -C "$ws" -- "$@" | "$SBX/sbx-approve" |
		"$SBX/sbx-select" | "$SBX/sbx-wrap" | "$SBX/sbx-run" --exec
}
by_cd() { (cd "$ws" && "$SBX/sbx-run" -s workspace-write -a never "$@"); }

denied "argv" "$probe" -- touch "$probe"
denied "sh -c" "$probe" -- sh -c "echo x >'$probe'"
denied "env X=1 sh -lc" "$probe" -- env X=1 sh -lc "echo x >'$probe'"
denied "bash -lc" "$probe" -- bash -lc "echo x >'$probe'"
denied "a script with an interpreter" "$probe" -- "$ws/script"
denied "a script by a relative path" "$probe" -- ./script
denied "python" "$probe" -- python3 -c "open('$probe','w').write('x')"
denied "perl" "$probe" -- perl -e "open(F,'>','$probe')"
denied "a background child" "$probe" -- sh -c "(sleep 0.1; echo x >'$probe') & wait"
denied "a child in a new session" "$probe" -- setsid -w sh -c "echo x >'$probe'"
denied "the dynamic loader" "$probe" -- sh -c "\$(ls /lib64/ld-linux-*.so* /lib/ld-linux-*.so* 2>/dev/null | head -n 1) \$(readlink -f /usr/bin/touch) '$probe'"

after() {
	ok "refused: $1" absent "$probe"
	rm -f "$probe"
}
echo "echo x >'$probe'" >"$ws/stdin"
run sh <"$ws/stdin"
ok "control: a script on standard input writes" test -e "$probe"
rm -f "$probe"
boxed sh <"$ws/stdin"
after "a script on standard input"
run in_document sh -c "echo x >'$probe'"
after "a document through the stages"
run by_cd touch "$probe"
after "without -C and without --"
run by_cd --json -- touch "$probe"
after "with --json"
run_sbx -s read-only -a never -C "$ws" -- touch "$probe"
after "read-only mode"
run_sbx -s read-only -a never -C "$ws" -- touch "$ws/probe"
ok "read-only mode: nor in the workspace" absent "$ws/probe"
run_sbx --full-auto -a never -C "$ws" -- touch "$probe"
after "--full-auto"
run_sbx -s workspace-write -a never -C "$ws" --require -- touch "$probe"
after "--require"
run_sbx -s workspace-write -a never -C "$ws" --timeout 20 -- touch "$probe"
after "with a timeout"
run_sbx -s workspace-write -a never -C "$ws" --escalate --justification please -- touch "$probe"
after "asking to escalate with nobody to ask"
isnt "which does not run at all" "$status" 0

# --dry-run shows a command that is wrapped and runs nothing.
run_sbx -s workspace-write -a never -C "$ws" --dry-run -- touch "$probe"
after "with --dry-run"
like "the dry run is wrapped in the helper" "$(jq -r '.exec.argv[0]' <<<"$out")" 'sbx-linux-sandbox$'

allowed "control: the same program writes in the workspace" "$ws/new" -- touch "$ws/new"
finish
