#!/bin/bash
# --report: what a person reads after the end, what a program reads meanwhile,
# and that neither holds up anything or lets anything in.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/denials.sh"
etc='{"write":["/etc"]}'

# A person.
stand_in "$(denial create /etc/x "$etc" '.id = 1')" '{"event":"repeated","id":1,"count":17}'
told --report human
is "the command's own code" "$status" 1
is "what, by whom, how often, and what allows it" "$err" "sbx-run: denied 1 access:
  create /etc/x (touch, 17 times)               allow with: --add-dir /etc  !! holds /etc/shadow: keys and passwords
sbx-run: run again with: --add-dir /etc"
is "nothing on stdout" "$out" ""
told
is "not a terminal: one line" "$status $err" "1 sbx-run: denied 1 access: create /etc/x (touch, 17 times); --report human shows what would allow it"
mkdir -p "$scratch/home/project"
run env HOME="$scratch/home" setsid -w "$SBX/sbx-run" -C "$scratch/home/project" -- sh -c 'echo x >file'
like "... where nobody decided anything it names the option that does" "$err" 'create [^;]*/file[^;]*; without options nothing is writable here; --auto makes the project so$'
run env HOME="$scratch/home" setsid -w "$SBX/sbx-run" --auto -C "$scratch/home/project" -- sh -c 'echo x >file'
is "... and that is enough" "$status $err" "0 "
told --report off
is "off: silence" "$status$err" 1
code=0 stand_in "$(denial create /etc/x "$etc")"
told --report human
like "a command that copes is told so, to whoever asked" "$status $err" '^0 .*denied 1 access \(the command went on\):'
unlike "... and need not be run again" "$err" 'run again'
events=()
template=$(denial create /etc/f@ "$etc")
for i in $(seq 400); do events+=("${template/@/$i}"); done
stand_in "${events[@]}"
told --report human
is "what one option allows is one line" "$err" "sbx-run: denied 400 accesses:
  create /etc/f1 and 399 more (touch)           allow with: --add-dir /etc  !! holds /etc/shadow: keys and passwords
sbx-run: run again with: --add-dir /etc"
events=()
for i in $(seq 30); do
	mkdir "$outside/$i"
	events+=("$(denial create "$outside/$i/f" "{\"write\":[\"$outside/$i\"]}")")
done
stand_in "${events[@]}" '{"event":"dropped","count":70}'
told --report human
is "ten lines at most, and one with all of it" "$(wc -l <<<"$err") $(tail -n 2 <<<"$err" | head -n 1)" "11   and 92 more; --json and --report json list them"
stand_in "$(denial create $'/etc/\e]0;x\a\n\u202e' "$etc" '.program = "/bin/\u001b[2J"')"
told --report human
unlike "no control byte reaches the terminal" "$err" $'\x1b|\x07|\u202e'
is "... nor another line" "$(wc -l <<<"$err")" 3
stand_in "$(denial call x null 'del(.path) | .syscall = "keyctl"')"
told --report human
like "what nothing allows" "$err" 'call keyctl \(touch\) +nothing allows this'
stand_in '{"event":"unobserved","why":"this kernel is older"}'
told --report human
is "why nobody looked is said once" "$err" "sbx-run: denials are not observed: this kernel is older"
told --json
is "... and is in the document" "$(jq -c '.result | [.unobserved, .evidence]' <<<"$out")" '["this kernel is older","none"]'
also='echo Permission denied >&2' stand_in '{"event":"unobserved","why":"old"}'
told --json
is "... where words decide" "$(jq -c '.result | [.denied, .evidence]' <<<"$out")" '[true,"heuristic"]'
if have PROGRAM script; then
	stand_in "$(denial create /etc/x "$etc")"
	run script -qec "$SBX/sbx-run --exec <$scratch/in" /dev/null
	like "a terminal: a person" "$out" 'allow with: --add-dir /etc'
	code=0 stand_in "$(denial create /etc/x "$etc")"
	run script -qec "$SBX/sbx-run --exec <$scratch/in" /dev/null
	is "... who is told nothing after success" "$status $out" "0 "
fi

# The document.
stand_in "$(denial create /etc/x "$etc" '.id = 1')" "$(denial create /etc/x "$etc" '.id = 2 | .syscall = "open"')" \
	'{"event":"repeated","id":1,"count":5}' '{"event":"repeated","id":2,"count":3}' '{"event":"repeated","id":9,"count":3}' \
	"$(denial connect x '{"network":"on"}' 'del(.path) | .address = "192.0.2.1:80"')" '{"event":"denial"}' '{"event":"repeated"}'
told --json
is "each thing once, all of them counted" "$(jq -c '[.result.denials[] | [.op, .path // .address, .count, .allow_with]]' <<<"$out")" \
	'[["create","/etc/x",8,"--add-dir /etc"],["connect","192.0.2.1:80",1,"--network on"]]'
events=()
for i in $(seq 1100); do events+=("{\"event\":\"denial\",\"id\":$i,\"op\":\"create\",\"path\":\"/etc/$i\",\"grant\":$etc}"); done
stand_in "${events[@]}"
told --json
is "a bounded number" "$(jq -c '.result | [(.denials | length), .denials_dropped]' <<<"$out")" '[1000,100]'
stand_in "$(denial create /etc/x 'null' 'del(.grant)')" "$(denial read /etc/shadow null 'del(.grant)')"
told --json
is "an observer that names no grant" "$(jq -c '[.result.denials[].grant]' <<<"$out")" '[{"write":["/etc"]},{"read":["/etc/shadow"]}]'
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	ok "each is as the schema says" /usr/bin/python3 -c '
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
result = json.load(open(sys.argv[2]))["result"]
jsonschema.Draft202012Validator({"$ref": "#/$defs/result", "$defs": schema["$defs"]}).validate(result)' \
		"$SHARE/schema/document.json" "$scratch/.out"
fi

# A program.
stand_in "$(denial create /etc/x "$etc" '.id = 1')" '{"event":"repeated","id":1,"count":2}' '{"event":"dropped","count":4}'
told --report-fd 9 9>"$scratch/events"
is "events on a descriptor" "$status $(jq -c '[.event, .id, .count, .allow_with]' "$scratch/events" | xargs -d '\n')" \
	'1 ["denial",1,1,"--add-dir /etc"] ["repeated",1,2,null] ["dropped",null,4,null] ["end",null,null,null]'
is "... and nowhere else" "$out$err" ""
told --report json
is "on stderr without one" "$(jq -c .event <<<"$err" | head -n 1)" '"denial"'
also="until grep -q denial '$scratch/events'; do sleep 0.02; done; echo seen" \
	stand_in "$(denial create /etc/x "$etc")"
: >"$scratch/events"
run timeout 60 "$SBX/sbx-run" --exec --report-fd 9 9>"$scratch/events" <"$scratch/in"
is "as they happen" "$status $out" "1 seen"
stand_in "${events[@]}"
mkfifo "$scratch/fifo"
exec 7<>"$scratch/fifo"
begin=$(date +%s%N)
run timeout 60 "$SBX/sbx-run" --exec --report-fd 7 <"$scratch/in"
took=$((($(date +%s%N) - begin) / 1000000))
is "a reader that does not read" "$status" 1
ok "... does not hold it up for long ($took ms)" test "$took" -lt 20000
exec 7<&-
run timeout 60 bash -c '"$0" --exec --report-fd 9 <"$1" 9> >(true)' "$SBX/sbx-run" "$scratch/in"
is "a reader that goes away" "$status" 1
also='ls /proc/self/fd | tr "\n" " "; if (echo x >&9) 2>/dev/null; then echo OPEN; fi' stand_in
told --report-fd 9 9>"$scratch/events"
unlike "the command does not have it" "$out" OPEN
is "control: nothing but the end was written there" "$(jq -r .event "$scratch/events")" "end"
if have USERNS; then
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report-fd 9 -- ls /proc/self/fd 9>"$scratch/events"
	is "... nor in the real sandbox" "$(xargs <<<"$out")" "0 1 2 3"
fi

# Wrong words.
wrong() { # WANTED OPTION...
	local wanted=$1
	shift
	run "$SBX/sbx-run" -s danger-full-access -a never "$@" -- touch "$ws/ran" 9>/dev/null 8</dev/null
	like "refused: $*" "$status $err" "^125 .*$wanted"
	ok "... and nothing ran" absent "$ws/ran"
}
wrong 'expected human, json, sarif, junit or off' --report loud
wrong 'not an open fd' --report-fd 77
wrong 'expected the number' --report-fd x
wrong 'expected the number' --report-fd 0
wrong 'not open for writing' --report-fd 8
wrong 'could write its own report' --report-fd 9 --keep-fd 9
wrong 'contradict' --report off --report-fd 9
wrong 'needs a command that runs' --learn --dry-run

# Replaced by the helper only when nobody is to be told.
if have USERNS && [ -z "$(unobserved)" ]; then
	for form in off human; do
		run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report $form -- sh -c "touch $outside/x"
		is "--report $form: $([ $form = off ] && echo no) line about it" "$(grep -c 'denied 1 access' <<<"$err")" "$([ $form = off ] && echo 0 || echo 1)"
	done
	run "$SBX/sbx-run" --explain -s workspace-write -a never -C "$ws" --report-fd 9 -- true 9>/dev/null
	like "--explain says who is told" "$out" 'sent to +fd 9, as JSON'
fi
if have ROOT; then
	mkdir "$ws/others"
	chown 1000:1000 "$ws/others"
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws/others" --report human -- sh -c ': >made'
	like "root in a checkout of another user is told whose it is" "$err" "others.* belongs to user 1000"
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report human -- false
	unlike "... and not elsewhere" "$err" "belongs to user"
fi
finish
