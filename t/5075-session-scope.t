#!/bin/bash
# What was granted for the session holds from the first attempt of the next command
# on, and for nobody else: not another session, workspace, policy or user.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/approver.sh"
need USERNS
approve=$SBX/sbx-approve
mkdir "$outside/secret" "$outside/sub" "$scratch/ws2"
secret=$outside/secret
printf '[permissions.hiding.filesystem]\n"/" = "read"\n":workspace_roots" = "write"\n"%s" = "deny"\n' "$secret" >"$scratch/set"
mkdir -p "$HOME/.codex"
cp "$scratch/set" "$HOME/.codex/config.toml"

# go [OPTION...] -- COMMAND...: one line of what became of it
cat >"$scratch/go" <<END
#!/bin/sh
"$SBX/sbx-run" --json -s workspace-write -a on-request -C "$ws" "\$@" 2>>$scratch/said |
	$HELPER/jq -r '"\(.approval.decision) \(.approval.by) \(.result.attempts) \(.result.exit_code)"'
END
sed 's/-s workspace-write //' "$scratch/go" >"$scratch/go-set"
chmod 755 "$scratch/go" "$scratch/go-set"
write="sh -c 'echo x >>$outside/f'"
other="sh -c 'echo y >>$outside/g; true; echo y >>$outside/g'"
# in_session SCRIPT-LINE...: in a session of its own; $out: what each said
in_session() {
	rm -f "$scratch/asked" "$outside"/[fg] "$secret/x"
	printf '%s\n' "$@" >"$scratch/script"
	run "$approve" --serve --approver "$scratch/approver" -- sh "$scratch/script"
}
go=$scratch/go set=$scratch/go-set

answer '{"decision":"approved_for_session"}'
in_session "$go -- $write" "$go -- $write" "$go -- $other"
is "granted after a denial, then from the first attempt on, to any command" "$out" \
	"approved_for_session approver 2 0
approved_for_session cache 1 0
approved_for_session cache 1 0"
is "asked once; what was written is there" "$(asked) $(cat "$outside/f" "$outside/g" | xargs)" "1 x x y y"
in_session "$go -- $write"
is "another session begins with nothing" "$out $(asked)" "approved_for_session approver 2 0 1"
answer '{"decision":"approved"}'
in_session "$go -- $write" "$go -- $other"
is "approved once is given once" "$(xargs <<<"$out") $(asked)" "approved approver 2 0 approved approver 2 0 2"

# No more than what was granted.
answer "{\"decision\":\"approved_for_session\",\"grant\":{\"write\":[\"$outside/sub\"]}}"
in_session "$go -- sh -c 'echo x >$outside/sub/f'" "$go -- sh -c 'echo x >$scratch/escaped; echo x >$outside/g'" "$go -- sh -c 'mkdir $outside/sub/.git'"
absent "$scratch/escaped"
is "nothing beside it, and no protected name in it" "$? $(ls -A "$outside/sub") $(ls "$outside")" "0 f secret
sub"

# Whose it is: the directory and the policy.
answer '{"decision":"approved_for_session"}'
probe="-a on-request --approver false"
for differs in "-C $scratch/ws2" "-C $ws --network off" "-C $ws --add-dir $scratch/ws2" "-C $ws -a on-failure" "-C $ws -s read-only"; do
	in_session "$go -- $write" "$go $probe $differs -- $other"
	absent "$outside/g"
	is "not with $differs" "$? $(tail -n 1 <<<"$out" | cut -d' ' -f3-4)" "0 1 2"
done
in_session "$go -- $write" "$go $probe -- $other"
is "control: with what it was given for" "$(tail -n 1 <<<"$out")" "approved_for_session cache 1 0"
in_session "$go -- $write" "$go -a never -- $other" "$go -- $other"
is "never: nothing that anybody was asked about" "$(sed -n '2,3p' <<<"$out")" "skip policy 1 2
approved_for_session cache 1 0"
# A session that never asks gives nothing, whatever was stored in it.
in_session "$go -- $write" "$approve --serve --parent \$SBX_SESSION -a never -- $go -- $other"
is "nor in a session below that never asks" "$(tail -n 1 <<<"$out")" "skip policy 1 2"
in_session "$go -- $write" "$approve --serve --parent \$SBX_SESSION --approver false -- $go -- $other"
absent "$outside/g"
is "nor in any session below: it was not given there" "$? $(tail -n 1 <<<"$out")" "0 skip policy 1 2"
in_session "$approve --serve --parent \$SBX_SESSION -- $go -- $write" "$go $probe -- $other"
absent "$outside/g"
is "what was given below is not given above" "$? $(tail -n 1 <<<"$out")" "0 skip policy 1 2"

# A deny outlasts it.
in_session "$go -- $write" "$set -P hiding -- sh -c 'echo x >$secret/x; cat $secret/x'"
absent "$secret/x"
is "another set does not have it" "$?" 0
hide=(-c "'permissions.closed.filesystem={\"/\"=\"read\",\":workspace_roots\"=\"write\",\"$secret\"=\"deny\"}'" -P closed)
in_session "$set ${hide[*]} -- $write" "$set ${hide[*]} -- sh -c 'echo y >$outside/g; echo x >$secret/x'"
absent "$secret/x"
is "what is denied in a granted directory stays denied" "$? $(cat "$outside/g")" "0 y"
answer "{\"decision\":\"approved_for_session\",\"grant\":{\"write\":[\"$outside\",\"$secret\"]}}"
in_session "$set ${hide[*]} -- $write" "$set ${hide[*]} -- sh -c 'echo x >$secret/x'"
absent "$secret/x"
is "also when the answer names it" "$?" 0
answer '{"decision":"approved_for_session"}'
mkdir -p "$HOME/.codex/rules"
printf 'prefix_rule(pattern=["touch"], decision="forbidden")\n' >"$HOME/.codex/rules/no.rules"
in_session "$go -- $write" "$go -- touch $outside/g"
absent "$outside/g"
is "a rule that forbids" "$? $(tail -n 1 <<<"$out" | cut -d' ' -f1-2)" "0 denied rule"
rm "$HOME/.codex/rules/no.rules"

# Something else in its place, put there by a command that may.
mkdir "$outside/place" "$scratch/target"
answer "{\"decision\":\"approved_for_session\",\"grant\":{\"write\":[\"$outside/place\"]}}"
in_session "$go -- sh -c 'echo x >$outside/place/f'" "mv $outside/place $outside/was; ln -s $scratch/target $outside/place" \
	"$go --approver false -- sh -c 'echo x >$outside/place/f'" \
	"rm $outside/place; mv $outside/was $outside/place; $go --approver false -- sh -c 'echo z >$outside/place/f'"
is "a link in its place gives nothing, and the place again does" "$(ls "$scratch/target") $(tail -n 2 <<<"$out" | xargs) $(cat "$outside/place/f")" \
	" skip policy 1 2 approved_for_session cache 1 0 z"

# Outside is given to one command, and a patch writes its files.
answer '{"decision":"approved_for_session","grant":{"sandbox":"none"}}'
in_session "$go -- $write" "$go $probe -- $other"
absent "$outside/g"
is "leaving the sandbox is given to the same command only" "$? $(tail -n 1 <<<"$out" | cut -d' ' -f1-3)" "0 skip policy 1"
answer '{"decision":"approved_for_session"}'
in_session "$go -- $write" "$SBX/sbx-policy -s workspace-write -a on-request -C $ws --tool patch --file $ws/p -- true | $approve | $HELPER/jq -c .approval.grant"
is "a patch is not widened" "$(tail -n 1 <<<"$out")" null

# Listed, and ended.
in_session "$go -- $write" "$approve --list | $HELPER/jq -c '[.scope, .grant]'" \
	"$approve --revoke \"\$($approve --list | $HELPER/jq -r .key)\"" "$go --approver false -- $other"
is "--list shows it, --revoke ends it" "$(sed -n '2,3p' <<<"$out")" "[\"session\",{\"write\":[\"$outside\"]}]
skip policy 1 2"

# Who could have been changed by it is not asked any more.
mkdir "$outside/bin"
printf '#!/bin/sh\ntouch %s/ran\necho %s\n' "$scratch" "'{\"decision\":\"approved_for_session\"}'" >"$outside/bin/yes"
chmod 755 "$outside/bin/yes"
in_session "$go -- $write" "$go --approver $outside/bin/yes -- sh -c 'echo x >$scratch/more'"
absent "$scratch/ran"
is "an approver where the session lets commands write is not run" "$? $(grep -c 'the sandbox can write it' "$scratch/said")" "0 1"

# Asked for before: what everybody is given is no question.
more() { printf '%s' "$SBX/sbx-policy -s workspace-write -a on-request -C $ws -- $1 | $HELPER/jq -c '.command.additional_permissions = {write:[\"$outside\"]}' | $approve | $HELPER/jq -r '\"\\(.approval.decision) \\(.approval.by)\"'"; }
in_session "$(more true)" "$(more 'make x')" "$go $probe -- $other"
is "additional permissions widen it as well" "$(xargs <<<"$out") $(asked)" \
	"approved_for_session approver approved_for_session cache approved_for_session cache 1 0 1"

# Another user.
if have ROOT && have PROGRAM setpriv; then
	in_session "$go -- $write" "chmod -R a+rX $scratch/run; setpriv --reuid 65534 --clear-groups -- $approve --list; echo \$?"
	is "another user does not reach the session" "$(tail -n 1 <<<"$out")" 3
fi
finish
