#!/bin/bash
# An approver at the end of a connection: many questions, ids, cancellation; whatever is
# not an answer to a question that was asked is a no, and the command cannot answer itself.
. "${0%/*}/lib/lib.sh"
need SANDBOX
need PROGRAM python3
export HOME=$scratch/home
mkdir -m 700 "$HOME" "$scratch/run"
[ -x /usr/bin/python3 ] && python=/usr/bin/python3 || python=$(command -v python3)
log=$scratch/log
approver() { "$python" "$TESTS/helper/approver.py" "$@"; }
there() { [ -S "$1" ]; }
# by HOW OPTION...: a run that has to be asked about, by fd
by() {
	rm -f "$ws/made" "$log"
	run approver run "$log" "$1" "$SBX/sbx-run" -s workspace-write -a untrusted --approver fd:@ -C "$ws" "${@:2}"
}
made() { [ -e "$ws/made" ] && echo made; }
asked() { "$HELPER/jq" -r "$1" "$log"; }

yes='{"decision":"approved"}'
by "$yes" --caller call-7 --justification "to see" -- sh -c 'touch made'
is "yes over a descriptor" "$status $(made)" "0 made"
is "the request says who asks, and where a yes would run it" \
	"$(asked '[.type, .caller, .sandbox, .network.access, .policy.approval_policy, .policy.sandbox_policy, .justification, (.id | length > 0)] | tojson')" \
	'["exec_approval_request","call-7","workspace-write","loopback","untrusted","workspace-write","to see",true]'
is "only what is possible is offered" "$(asked '.options | tojson')" '["approved","grant","denied","abort"]'
is "and each is explained" "$(asked '.means | keys | tojson')" '["abort","approved","denied","grant"]'
like "in words" "$(asked .means.approved)" 'runs it in the sandbox \(workspace-write, network loopback\), once'
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	ok "the request is what the schema says" /usr/bin/python3 -c 'import json, jsonschema, sys
jsonschema.validate(json.load(sys.stdin), json.load(open(sys.argv[1])))' "$SHARE/schema/approval.json" <"$log"
fi
by '{"decision":"denied","reason":"not today"}' -- sh -c 'touch made'
is "no" "$status $(made)" "126 "
like "with its reason" "$err" 'not today'
for how in 'raw:junk' 'raw:[]' 'raw:{"decision":"approved"}' 'raw:{"id":"x","decision":"approved"}' \
	'raw:{"id":7,"decision":"approved"}' close '{"decision":"yes"}' '{"decision":"approved_for_session"}' \
	'{"decision":"approved","grant":{"write":["x"]}}' '{"decision":"grant"}' 'raw:{"decision":"denied","decision":"approved"}'; do
	by "$how" -- sh -c 'touch made'
	is "no answer: $how" "$status $(made)" "126 "
done
by silent --approver-timeout 0.3 -- sh -c 'touch made'
is "nor is silence" "$status $(made)" "126 "
is "which makes the question void" "$(asked '.type' | tail -n 1) $(asked .id | uniq | wc -l)" "cancel 1"
by flood --approver-timeout 0.3 -- sh -c 'touch made'
is "answers that mean nothing do not stop the clock" "$status $(made)" "126 "

# The answer to a void question is none to the next.
rm -f "$log"
printf '#!/bin/sh\nfor i in 1 2; do "$@" -- sh -c "touch made.$i"; done; true\n' >"$scratch/twice"
chmod +x "$scratch/twice"
run approver run "$log" late "$scratch/twice" "$SBX/sbx-run" -s workspace-write -a untrusted --caller one \
	--approver-timeout 0.4 --approver fd:@ -C "$ws"
is "an answer that is too late counts for nothing, the next one does" "$(cd "$ws" && echo made.*)" "made.2"

# The command has none of it.
by "$yes" -- sh -c 'ls -l /proc/self/fd /proc/1/fd 2>/dev/null | grep -c socket; touch made'
is "no socket inside" "$out $(made)" "0 made"
by "$yes" --keep-fd 9 -- true 9<&- 2>&1
isnt "an fd to keep must be there" "$status" 0
run approver run "$log" "$yes" "$SBX/sbx-run" --approver fd:@ --keep-fd @ -C "$ws" -- true
is "the socket is not to be kept for the command" "$status" 125
run approver run "$log" "$yes" sh -c "exec \"\$0\" --approver fd:@ -C '$ws' -- true <&@" "$SBX/sbx-run"
is "nor may it be its stdin" "$status" 125
for place in fd: fd:x fd:2 fd:99 unix: unix:s unix:./s "unix:$scratch/../s" "unix:/$(printf '%0110d' 1)"; do
	run_sbx --approver "$place" -C "$ws" -- true
	is "wrong usage: $place" "$status" 125
done

# At a path.
listens() { # PATH [PREFIX...]
	"${@:2}" "$python" "$TESTS/helper/approver.py" listen "$1" "$log" "$yes" >"$scratch/listens" 2>&1 &
	kill_later $!
	eventually 10 there "$1"
}
listens "$scratch/run/s"
at() { # PATH OPTION...
	rm -f "$ws/made"
	run_sbx -s workspace-write -a untrusted --approver "unix:$1" -C "$ws" "${@:2}" -- sh -c 'touch made'
}
at "$scratch/run/s"
is "yes over a socket" "$status $(made)" "0 made"
at "$scratch/run/absent"
is "nobody there" "$status $(made)" "126 "
refused_at() { # WHY PATH PATTERN OPTION...
	at "$2" "${@:4}"
	is "$1" "$status $(made)" "126 "
	like "... and it is said" "$err" "$3"
}
refused_at "not where the command writes" "$scratch/run/s" 'the sandbox can write it' --add-dir "$scratch/run"
mkdir -m 700 "$ws/run"
listens "$ws/run/s"
refused_at "not in the workspace" "$ws/run/s" 'working directory'
chmod 777 "$scratch/run"
refused_at "not where others write" "$scratch/run/s" 'not asked'
chmod 700 "$scratch/run"
ln -s run "$scratch/link"
refused_at "not over a link" "$scratch/link/s" 'not asked'
touch "$scratch/run/file"
refused_at "not a file" "$scratch/run/file" 'not a socket'
refused_at "not one that the command may connect to" "$scratch/run/s" 'may connect' \
	-c "sandbox_workspace_write.unix_sockets=[\"$scratch/run/s\"]"
if have USERNS; then
	listens "$scratch/run/inside" unshare -U
	refused_at "nobody in another user namespace" "$scratch/run/inside" 'sandbox'
fi
at "$scratch/run/s"
is "control: the first one still answers" "$status $(made)" "0 made"

# A session has one connection, and questions side by side.
rm -f "$log"
cat >"$scratch/both" <<END
"$SBX/sbx-run" -s workspace-write -a untrusted --caller a -C "$ws" -- sh -c 'touch a' & a=\$!
"$SBX/sbx-run" -s workspace-write -a untrusted --caller b -C "$ws" -- sh -c 'touch b' & b=\$!
wait \$a; echo \$?; wait \$b; echo \$?
END
run approver run "$log" two "$SBX/sbx-approve" --serve --approver fd:@ -- sh "$scratch/both"
is "two at once: each has its own answer" "$(sort <<<"$out" | tr '\n' ' ')" "0 126 "
is "the first was refused, the second not" "$(asked .caller | tail -n 1)" "$(cd "$ws" && ls a b 2>/dev/null)"
is "a session is offered" "$(asked '.options | tojson' | head -n 1)" '["approved","approved_for_session","grant","denied","abort"]'
rm -f "$log"
run approver run "$log" silent "$SBX/sbx-approve" --serve --approver-timeout 0.3 --approver fd:@ -- \
	"$SBX/sbx-run" -s workspace-write -a untrusted -C "$ws" -- touch "$ws/made"
is "silence in a session" "$status $(asked '.type' | tail -n 1)" "126 cancel"
rm -f "$log" "$ws/made"
run approver run "$log" flood "$SBX/sbx-approve" --serve --approver-timeout 0.3 --approver fd:@ -- \
	"$SBX/sbx-run" -s workspace-write -a untrusted -C "$ws" -- touch "$ws/made"
is "a flood in a session" "$status $(made)" "126 "
run approver run "$log" "raw:junk" "$SBX/sbx-approve" --serve --approver fd:@ -- \
	"$SBX/sbx-run" -s workspace-write -a untrusted -C "$ws" -- sh -c 'touch x'
is "junk in a session" "$status" "126"
rm -f "$log"
run approver run "$log" silent "$SBX/sbx-approve" --serve --approver fd:@ -- sh -c "timeout 1 \"$SBX/sbx-run\" -s workspace-write -a untrusted -C '$ws' -- sh -c 'touch x'; sleep 0.3"
is "a caller that went away" "$(asked '.type' | tail -n 1)" "cancel"
rm -f "$log"
run approver run "$log" silent timeout 1 "$SBX/sbx-run" -s workspace-write -a untrusted --approver fd:@ -C "$ws" -- sh -c 'touch x'
is "told to end, the question is void" "$(asked '.type' | tail -n 1)" "cancel"
finish
