#!/bin/bash
# A host that is not listed is asked about while the command waits for it, once, and
# nobody outside hears of it before.
zone='a.example A 192.0.2.10
b.example A 192.0.2.99 192.0.2.11
six.example AAAA 2001:db8::10
private.example A 10.0.0.1
gone.example NONE'
. "${0%/*}/lib/internet.sh"
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/approver.sh"
need USERNS
mkdir "$HOME/.codex"

# What is asked after the end is answered with a no, and is no question of this test.
cat >"$scratch/approver" <<END
#!/bin/sh
read -r question
case \$question in
*'"waiting":'*) printf '%s\\n' "\$question" >>$scratch/asked; cat $scratch/answer ;;
*) echo '{"decision":"denied"}' ;;
esac
END

limits=(-s read-only --allow-host a.example:80)
# hosts ARGUMENT...: in the sandbox, with a.example listed, and the approver
hosts() {
	rm -f "$scratch/asked"
	: >"$internet/log"
	run_sbx --json --approver "$scratch/approver" -a on-request "${limits[@]}" "$@"
}
out_of() { jq -r .result.stdout <<<"$out"; }
log_has() { grep -qE "$1" "$internet/log"; }

answer '{"decision":"approved"}'
hosts -- curl -sS -m 20 http://b.example/x
is "a yes: the connection that waited goes on" "$(out_of)" "b.example at 192.0.2.11 /x"
is "the question" "$(jq -c '[.type, .waiting.host, .waiting.port, (.waiting.program | endswith("/curl")), .grant, .options]' "$scratch/asked")" \
	'["exec_approval_request","b.example",80,true,{"hosts":["b.example:80"]},["approved","denied","abort"]]'
like "... in words" "$(jq -r .reason "$scratch/asked")" 'wants to reach b.example:80, which is not listed'
is "it is in the result" "$(jq -c '[.result.questions[] | [.decision, .by, .grant]], [.result.network[].host], .result.denials' <<<"$out" | tr '\n' ' ')" \
	'[["approved","approver",{"hosts":["b.example:80"]}]] ["b.example"] [] '
hosts -- sh -c 'for i in 1 2 3; do curl -sS -m 20 http://b.example/$i & done; wait; curl -sS http://b.example/4; curl -sS http://a.example/5'
is "one question, however many wait" "$(asked) $(out_of | sed /^$/d | wc -l)" "1 5"
hosts -- curl -sS -m 20 http://six.example/x
is "a name that has an address of IPv6 only" "$(out_of)" "six.example at 2001:db8::10 /x"
hosts -- sh -c 'curl -s -m 20 http://b.example:7/; curl -sS http://b.example/x'
is "another port is another question" "$(jq -r .grant.hosts[0] "$scratch/asked" | tr '\n' ' ')" "b.example:7 b.example:80 "
hosts -- curl -sS -m 20 http://192.0.2.11/x
is "an address" "$(out_of) $(jq -r .waiting.host "$scratch/asked")" "192.0.2.11 at 192.0.2.11 /x 192.0.2.11"
hosts -- curl -sS -m 20 http://10.0.0.1/x
is "one of this machine is not asked about" "$(jq .result.exit_code <<<"$out") $(asked)" "7 0"
hosts -- curl -sS -m 20 http://private.example/x
is "a name that is allowed still does not lead there" "$(jq .result.exit_code <<<"$out") $(asked)" "7 1"
not_ok "nobody was reached" log_has 'reached 10'
hosts -- curl -sS -m 20 http://gone.example/x
is "a name that does not exist" "$(jq .result.exit_code <<<"$out") $(asked)" "7 1"
hosts -- /usr/bin/python3 -c 'import errno, select, socket
s = socket.socket(); s.setblocking(False)
print(errno.errorcode.get(s.connect_ex((socket.gethostbyname("b.example"), 7)), 0))
print(select.select([], [s], [], 20)[1] == [s], s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), s.send(b"x"), s.setblocking(True), s.recv(1))'
like "who does not wait" "$(out_of)" "(EINPROGRESS|0)
True 0 1 None b'x'"
hosts -- getent hosts b.example
is "a name alone is no question" "$(asked) $(wc -l <"$internet/log")" "0 0"
printf '[permissions.some]\nfilesystem = { "/" = "read" }\nnetwork = "hosts"\nhosts = ["a.example", "!b.example"]\n' >>"$HOME/.codex/config.toml"
limits=(-P some)
hosts -- curl -sS -m 20 http://b.example/x
limits=(-s read-only --allow-host a.example:80)
is "what is denied is no question" "$(jq .result.exit_code <<<"$out") $(asked)" "6 0"
hosts --allow-host '*.elsewhere.example' -- /usr/bin/python3 -c 'import socket
for i in range(90):
    try: socket.create_connection(("n%d.example" % i, 80))
    except OSError as e: pass'
is "there is an end to questions" "$(asked)" 64

answer '{"decision":"denied"}'
hosts -- sh -c 'curl -sS -m 20 http://b.example/x; curl -s http://b.example/x; echo $?; curl -sS http://a.example/x'
is "a no: refused, and the rest goes on" "$(out_of) $(asked)" "7
a.example at 192.0.2.10 /x 1"
not_ok "... nobody outside has heard of it" log_has 'b.example|192.0.2.11'
is "... it is a denial, and not asked about again" "$(jq -c '[.result.denials[] | [.op, .address, .allow_with]], .result.questions[0].decision, .result.attempts' <<<"$out" | tr '\n' ' ')" \
	'[["connect","b.example:80","--allow-host b.example:80"]] "denied" 1 '
for bad in '{"decision":"approved","grant":{"hosts":["c.example:80"]}}' '{"decision":"approved","grant":{"hosts":["b.example"]}}' \
	'{"decision":"approved","grant":{"sandbox":"none"}}' '{"decision":"approved","grant":{"network":"on"}}' 'yes'; do
	answer "$bad"
	hosts -- curl -sS -m 20 http://b.example/x
	is "not an answer to it: $bad" "$(jq .result.exit_code <<<"$out") $(log_has b.example || echo unheard)" "7 unheard"
done
answer '{"decision":"approved","grant":{"hosts":["b.example:80","c.example"]}}'
hosts -- sh -c 'curl -sS -m 20 http://b.example/x'
is "more than was asked for is not given" "$(jq -c '.result.questions[0].grant' <<<"$out")" '{"hosts":["b.example:80"]}'
answer '{"decision":"abort"}'
hosts -- sh -c 'curl -sS -m 20 http://b.example/x; echo went on'
is "an abort ends the command, as ^C does" "$(jq -c '[.result.signal, .result.stdout, .result.questions[0].decision]' <<<"$out")" '[2,"","abort"]'

answer '{"decision":"approved"}'
for policy in never 'never -c approval_policy="never"'; do
	read -ra words <<<"$policy"
	rm -f "$scratch/asked"
	run_sbx --approver "$scratch/approver" -s read-only -a "${words[@]}" --allow-host a.example -- curl -sS http://b.example/x
	is "under $policy nobody is asked" "$status $(asked)" "6 0"
done
run setsid "$SBX/sbx-run" -s read-only -a on-request --allow-host a.example -- curl -sS http://b.example/x </dev/null
is "without anybody to ask neither" "$status" 6
answer '{"decision":"approved","rule":"network_rule(host=\"b.example\", port=\"80\", decision=\"allow\", project=\"'"$ws"'\")"}'
hosts -C "$ws" -- curl -sS -m 20 http://b.example/x
is "for the project" "$(cat "$HOME/.codex/rules/learned.rules")" "network_rule(host=\"b.example\", port=\"80\", decision=\"allow\", project=\"$ws\")"
hosts -C "$ws" -- curl -sS -m 20 http://b.example/x
is "... it is not asked again there" "$(out_of) $(asked)" "b.example at 192.0.2.11 /x 0"
hosts -C "$outside" -- curl -sS -m 20 http://b.example/x
is "... and elsewhere it is" "$(asked)" 1
run "$SBX/sbx-approve" --list-rules
like "... it is listed" "$out" 'network_rule.*b.example'
run "$SBX/sbx-approve" --revoke-rule "network_rule(host=\"b.example\", port=\"80\", decision=\"allow\", project=\"$ws\")"
is "... and can be revoked" "$status $(wc -c <"$HOME/.codex/rules/learned.rules")" "0 0"
answer '{"decision":"approved","rule":"network_rule(host=\"c.example\", port=\"80\", decision=\"allow\")"}'
hosts -C "$ws" -- curl -sS -m 20 http://b.example/x
is "a rule about another host is not saved" "$(wc -c <"$HOME/.codex/rules/learned.rules")" 0

if [ "$(long 0 1)" = 1 ]; then
	printf '#!/bin/sh\nexec sleep 1000\n' >"$scratch/slow"
	chmod 755 "$scratch/slow"
	run_sbx --json --approver "$scratch/slow" -s read-only -a on-request --allow-host a.example -- curl -sS http://b.example/x
	is "after a minute it is refused" "$(jq -c '[.result.exit_code, .result.duration_ms >= 60000, .result.duration_ms < 70000, .result.questions[0].reason]' <<<"$out")" \
		'[7,true,true,"denied: nobody answered within a minute"]'
fi
answer '{"decision":"approved_for_session"}'
rm -f "$scratch/asked"
run "$SBX/sbx-approve" --serve --approver "$scratch/approver" -- sh -c '
	for i in 1 2; do "$0/sbx-run" "$@" curl -sS -m 20 "http://b.example/$i"; done; "$0/sbx-approve" --list' "$SBX" -C "$ws" -s read-only -a on-request --allow-host a.example --
is "for the session" "$(grep -c '^b.example at' <<<"$out") $(asked)" "2 1"
like "... which says so" "$out" 'host:b.example:80'
finish
