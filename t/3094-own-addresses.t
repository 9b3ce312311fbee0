#!/bin/bash
# A name that is listed does not lead to this machine itself, by whichever of its
# addresses: a server that listens everywhere is at each of them.
zone='a.example A 192.0.2.10
own.example A 203.0.113.7
ownsix.example AAAA 2001:db8:113::7
both.example A 203.0.113.7 192.0.2.10
turning.example TTL 1
turning.example A 192.0.2.10
turning.example AFTER 203.0.113.7'
. "${0%/*}/lib/internet.sh"
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/approver.sh"
need USERNS
# hosts "HOST HOST..." COMMAND...: in the sandbox, with these
hosts() {
	local host listed options=()
	read -ra listed <<<"$1"
	for host in "${listed[@]}"; do options+=(--allow-host "$host"); done
	shift
	: >"$internet/log"
	run_sbx -s read-only -a never "${options[@]}" -- "$@"
}
reached() { grep -c '^reached \(203\|2001:db8:113\)' "$internet/log"; }

is "control: without the sandbox" "$(curl -sS -m 20 http://own.example/x)" "own.example at 203.0.113.7 /x"
is "control: ... by IPv6" "$(curl -sS -m 20 http://ownsix.example/x)" "ownsix.example at 2001:db8:113::7 /x"
for list in '*' '*.example' 'own.example ownsix.example'; do
	for name in own ownsix; do
		hosts "$list" curl -sS -m 20 "http://$name.example/x"
		is "$list: $name" "$status $(reached)" "6 0"
	done
done
hosts '*.example' curl -sS -m 20 http://a.example/x
is "control: another machine's" "$status $out" "0 a.example at 192.0.2.10 /x"
hosts '*.example' curl -sS -m 20 http://both.example/x
is "a name that leads to both" "$out $(reached)" "both.example at 192.0.2.10 /x 0"
hosts '*' curl -sS -m 20 http://203.0.113.7/x
is "by number" "$status $(reached)" "7 0"
hosts 'own.example 203.0.113.0/24:80' curl -sS -m 20 http://own.example/x
is "control: listed as well" "$out" "own.example at 203.0.113.7 /x"
hosts 'own.example 203.0.113.0/24:81' curl -sS -m 20 http://own.example/x
is "... at another port" "$status $(reached)" "7 0"
hosts turning.example /usr/bin/python3 -c 'import socket, time
print(socket.create_connection(("turning.example", 7), 20).getpeername()[1])
while True:
    try: socket.gethostbyname("turning.example")
    except OSError as e: break
    time.sleep(0.05)
print("gone")'
is "rebinding" "$out $(reached)" "7
gone 0"
run_sbx --json -s read-only -a never --allow-host own.example -- curl -sS -m 20 http://own.example/x
is "the denial names the address" "$(jq -c '[.result.denials[] | [.op, .address, .allow_with]]' <<<"$out")" \
	'[["look up","own.example, which is 203.0.113.7","--allow-host 203.0.113.7"]]'

# Whoever is asked says yes to a name, not to where it leads; a number is not asked about.
cat >"$scratch/approver" <<'END'
#!/bin/sh
read -r question
case $question in
*'"waiting":'*) echo '{"decision":"approved"}' ;;
*) echo '{"decision":"denied"}' ;;
esac
END
for host in own.example 203.0.113.7; do
	: >"$internet/log"
	run_sbx --json --approver "$scratch/approver" -a on-request -s read-only --allow-host a.example -- curl -sS -m 20 "http://$host/x"
	is "asked about: $host" "$(jq .result.exit_code <<<"$out") $(reached)" "7 0"
done
finish
