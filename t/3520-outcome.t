#!/bin/bash
# A command that is not found or not executable was not denied anything: it is
# a result of its own, nothing is asked, and nothing runs outside instead.
. "${0%/*}/lib/lib.sh"
need SANDBOX
. "$TESTS/lib/approver.sh"
answer '{"decision":"approved"}'
mkdir -p "$HOME/.codex" "$outside/bin"
printf '#!/bin/sh\necho ran >%s/ran\n' "$outside" >"$outside/bin/tool"
printf 'text\n' >"$ws/sandbox.txt"
printf '#!/no/sandbox/here\n' >"$ws/lost"
printf '#!/bin/sh\n' >"$ws/closed"
chmod 755 "$outside/bin/tool" "$ws/lost"
cat >"$HOME/.codex/config.toml" <<END
[permissions.hides.filesystem]
":root" = "read"
":workspace_roots" = "write"
"$outside/bin" = "none"
END
result() { jq -r ".result | $1" <"$scratch/.out"; }
ask=(--json -a on-request -C "$ws" --approver "$scratch/approver")

# not_denied WHAT OUTCOME STATUS OPTION... -- COMMAND...
not_denied() {
	local what=$1 outcome=$2 code=$3
	shift 3
	rm -f "$scratch/asked"
	run_sbx "${ask[@]}" "$@"
	is "$what" "$status $(result '"\(.outcome) \(.exit_code) \(.denied) \(.attempts)"')" "$code $outcome $code false ${attempts:-1}"
	is "... and nobody is asked" "$(asked)" 0
}
for mode in read-only workspace-write; do
	not_denied "$mode: a typo" not-found 127 -s $mode -- nosuchprogram
	not_denied "$mode: a missing path with a word of ours in it" not-found 127 -s $mode -- "$ws/sandbox/landlock"
	not_denied "$mode: a file that is no program" not-executable 126 -s $mode -- ./sandbox.txt
	not_denied "$mode: a script without the right" not-executable 126 -s $mode -- ./closed
	not_denied "$mode: an interpreter that is missing" not-found 127 -s $mode -- ./lost
done
not_denied "a program that the policy hides" not-executable 126 -P hides -- "$outside/bin/tool"
ok "... does not run outside for a plain yes" absent "$outside/ran"
"$outside/bin/tool"
ok "control: it would have" exists "$outside/ran"
attempts=0 not_denied "without a sandbox: a typo" not-found 127 -s danger-full-access -- nosuchprogram
attempts=0 not_denied "without a sandbox: no program" not-executable 126 -s danger-full-access -- ./sandbox.txt

# The others.
run_sbx "${ask[@]}" -s read-only -- sh -c 'exit 127'
is "a code of its own" "$(result '"\(.outcome) \(.exit_code)"')" "exited 127"
run_sbx "${ask[@]}" -s read-only -- sh -c 'kill -9 $$'
is "a signal" "$(result '"\(.outcome) \(.signal)"')" "signalled 9"
run_sbx "${ask[@]}" -s read-only --timeout 0.1 -- sleep 60
is "a time limit" "$status $(result .outcome)" "124 timed-out"
run_sbx "${ask[@]}" -s danger-full-access --timeout 0.1 -- sleep 60
is "... without a sandbox" "$status $(result .outcome)" "124 timed-out"
run_sbx --json -s read-only -a untrusted -C "$ws" -- touch x
is "not approved" "$status $(result '"\(.outcome) \(.exit_code) \(.attempts)"')" "126 not-approved 126 0"
if unshare -Ur test -w /proc/sys/user/max_user_namespaces 2>/dev/null; then
	run unshare -Ur bash -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' sh \
		"$TRY" refuse 444 38 "$SBX/sbx-run" --json -s workspace-write -a never -C "$ws" -- true
	is "no sandbox" "$status $(result '"\(.outcome) \(.exit_code)"')" "125 no-sandbox 125"
else
	skip "no sandbox" "no namespace to take them away in"
fi
rm -f "$scratch/asked"
run_sbx "${ask[@]}" -s workspace-write -- sh -c 'echo x >"$1"' sh "$outside/f"
is "control: what is denied is asked about" "$(asked) $(result '"\(.outcome) \(.attempts)"')" "1 exited 2"

# Also in the record.
run_sbx --audit "$scratch/log" -s read-only -a never -C "$ws" -- nosuchprogram
is "the audit says it as well" "$(jq -r .result.outcome "$scratch/log")" not-found
finish
