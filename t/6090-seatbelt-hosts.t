#!/bin/bash
# A network by name on macOS: the profile leaves one port open, and the proxy there
# has the same list. The profile is judged by the tests' own interpreter; the proxy
# is the real one, with real clients, in an internet of the test's own.
zone='a.example A 192.0.2.10
a.example AAAA 2001:db8::10
b.example A 192.0.2.11
two.example A 192.0.2.99 192.0.2.10
private.example A 10.0.0.1
local.example A 127.0.0.1
mapped.example AAAA ::ffff:10.0.0.1'
. "${0%/*}/lib/internet.sh"
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/seatbelt.sh"
slow
seatbelt=$SBX/sbx-seatbelt
log_has() { grep -qE "$1" "$internet/log"; }
# hosts "HOST..." COMMAND...: beside the proxy, with these
hosts() {
	local list=$1
	shift
	: >"$internet/log"
	: >"$scratch/report"
	run "$seatbelt" --hosts "$list" --report-fd 9 -- "$(command -v "$1")" "${@:2}" 9>"$scratch/report"
}
events() { jq -c "$1" "$scratch/report"; }

# ---- the wrap ----------------------------------------------------------------------------------
listed='{fs: [{path: "/", access: "read"}], network: "hosts", hosts: ["a.example:443", "*.b.example", "!c.b.example"]}'
permissions "$listed" | wrap
self=$(realpath "$seatbelt")
is "it stands in front, with the list" "$(field '.exec.argv[0:5] + [.exec.arg0] | tojson')" \
	"[\"$self\",\"--hosts\",\"a.example:443 *.b.example !c.b.example\",\"--\",\"/usr/bin/sandbox-exec\",\"sbx-seatbelt\"]"
is "the port is nobody's until there is one" "$(field '.exec.argv | map(select(test("^-DHOST_PROXY"))) | tojson')" '["-DHOST_PROXY=localhost:0"]'
permissions "$listed" | jq -c '.policy.sbx = {network: {sni: "off"}, log_denials: true}' | wrap
is "beside the log, and without a look at TLS" "$(field '.exec.argv[1:6] | tojson')" \
	'["--log-denials","--hosts","a.example:443 *.b.example !c.b.example","--any-server-name","--"]'
# As the helper puts the port in; the interpreter wants the profile to be first.
permissions "$listed" | wrap
jq -c '.exec.argv |= (.[index("--") + 1:] | map(sub("^-DHOST_PROXY=localhost:0$"; "-DHOST_PROXY=localhost:4711")))' "$scratch/wrapped" >"$scratch/with-port"
mv "$scratch/with-port" "$scratch/wrapped"
decide "one port of this machine" <<'TABLE'
allow network-outbound ip localhost:4711
allow network-outbound ip 127.0.0.1:4711
allow network-outbound ip [::1]:4711
deny network-outbound udp localhost:4711
deny network-outbound ip localhost:4712
deny network-outbound ip localhost:471
deny network-outbound ip localhost:47110
deny network-outbound ip example.org:4711
deny network-outbound ip example.org:443
deny network-outbound udp example.org:53
deny network-outbound unix /private/var/run/mDNSResponder
deny network-outbound file /private/var/run/mDNSResponder
deny network-bind ip localhost:4711
deny network-inbound ip localhost:4711
deny mach-lookup service com.apple.networkd
TABLE
jq -c '.exec.argv |= map(sub("^-DHOST_PROXY=.*"; "-DHOST_PROXY=*:*"))' "$scratch/wrapped" >"$scratch/wide"
run "$TESTS/property/sbpl/ask" "$scratch/wide"
like "control: a parameter that names more does not load" "$out" '^error .*address'
"$SBX/sbx-policy" -C "$ws" -s workspace-write -a never --allow-host a.example -- true 2>/dev/null | "$SBX/sbx-approve" |
	"$SBX/sbx-select" --platform macos | stage sbx-wrap --platform macos
is "the whole pipe" "$status $(field '.exec.argv[1:3] | tojson') $(field '.exec.env.CODEX_SANDBOX_NETWORK_DISABLED')" '0 ["--hosts","a.example"] 1'
is "said as weaker" "$(field '[.sandbox.lost[] | select(.guarantee | test("hosts")) | .guarantee] | tojson')" '["hosts-without-proxy"]'

# ---- the proxy -----------------------------------------------------------------------------------
is "control: without it" "$(curl -sS -m 20 http://b.example/x)" "b.example at 192.0.2.11 /x"
hosts a.example curl -sS -m 20 http://a.example/x
like "curl, HTTP" "$status $out" '^0 a.example at (192.0.2.10|2001:db8::10) /x'
is "what was reached" "$(events 'select(.event == "reached") | [.host, .port, .connections, .sent > 50, .received > 50]')" '["a.example",80,1,true,true]'
is "... before the end" "$(events .event | tail -n 1)" '"exit"'
hosts a.example curl -sS -m 20 http://a.example/1 http://a.example/2 http://b.example/3
is "one after the other, each judged" "$(grep -c '^a.example at' <<<"$out") $(grep -c '^sbx: Not in the list' <<<"$out")" "2 1"
hosts a.example curl -sS -m 20 http://b.example/x
is "another host" "$out" "sbx: Not in the list of hosts"
not_ok "... is not even asked for outside" log_has b.example
is "... and it is a denial with the least that allows it" "$(events 'select(.event == "denial") | [.op, .address, .rule, .grant, .count]')" \
	'["connect","b.example:80",{"network":"hosts"},{"hosts":["b.example:80"]},1]'
run "$seatbelt" --hosts a.example -- /usr/bin/curl -sS -m 20 http://b.example/x
like "... for a person" "$err" 'denied: connect b.example:80: --allow-host b.example:80'
hosts a.example:81 curl -sS -m 20 http://a.example/x
is "another port" "$out" "sbx: Not in the list of hosts"
hosts '*.example !b.example' curl -sS -m 20 http://b.example/x
is "one that is denied" "$out" "sbx: Not in the list of hosts"
hosts 'two.example' curl -sS -m 20 http://two.example/x
like "one of two addresses is down" "$out" '^two.example at 192.0.2.10 '
hosts 192.0.2.10 curl -sS -m 20 http://192.0.2.10/x
is "an address" "$out" "192.0.2.10 at 192.0.2.10 /x"
hosts '[2001:db8::10]:80' curl -sS -m 20 'http://[2001:db8::10]/x'
is "one of IPv6" "$out" '[2001:db8::10] at 2001:db8::10 /x'
hosts A.Example. curl -sS -m 20 http://a.EXAMPLE/x
like "in other letters" "$out" '^a.EXAMPLE at '
for name in private local mapped; do
	hosts '*.example' curl -sS -m 20 "http://$name.example/x"
	is "a name that leads to an internal address: $name" "$out" "sbx: Leads to an address that is not public"
done
for host in 127.0.0.1 localhost 0.0.0.0 '[::1]' '[::]' '[::ffff:127.0.0.1]' 2130706433 0x7f.1; do
	hosts '* 0.0.0.0/0 [::]/0' curl -s -m 20 -p "http://$host/x"
	is "this machine itself: $host" "$out" ""
done
not_ok "nobody else was reached" log_has 'reached (10.0.0.1|127.0.0.1)'
hosts localhost:80 curl -sS -m 20 http://localhost/x
is "control: unless it is named" "$out" "localhost at 127.0.0.1 /x"
hosts '*.example' curl -sS -m 20 http://gone.test/x
is "no such host in the list" "$out" "sbx: Not in the list of hosts"

# Everything is done through it: a direct way is not what was tested.
hosts a.example sh -c 'echo "$http_proxy $HTTPS_PROXY $ALL_PROXY $socks_proxy ${no_proxy-none}"'
like "its variables" "$out" '^http://sbx:([0-9a-f]{32})@127.0.0.1:([0-9]+) http://sbx:\1@127.0.0.1:\2 http://sbx:\1@127.0.0.1:\2 socks5h://sbx:\1@127.0.0.1:\2 none$'
no_proxy='*' hosts a.example curl -sS -m 20 http://b.example/x
is "an exception of the caller's does not go round it" "$out" "sbx: Not in the list of hosts"
hosts a.example sh -c 'curl -sS -m 20 -x "http://sbx:wrong@${http_proxy##*@}" http://a.example/x; curl -sS -m 20 -x "${http_proxy##*@}" http://a.example/x; curl -sS -m 20 --proxy-user sbx:wrong -x "socks5h://${http_proxy##*@}" http://a.example/x; echo " $?"'
is "whoever does not know the token" "$out" "sbx: The proxy's password is in its variable
sbx: The proxy's password is in its variable
 97"
not_ok "... reaches nobody" log_has reached
hosts a.example sh -c 'curl -sS -m 20 -x "$socks_proxy" http://a.example/x; curl -s -m 20 -x "$socks_proxy" http://b.example/x; echo $?'
like "SOCKS 5" "$out" '^a.example at .* /x
97$'
hosts '192.0.2.10' sh -c 'curl -sS -m 20 -x "$socks_proxy" http://192.0.2.10/x; curl -s -m 20 -x "$socks_proxy" http://192.0.2.11/x; echo $?'
is "... by address" "$out" "192.0.2.10 at 192.0.2.10 /x
97"
not_ok "... nobody else hears" log_has '192.0.2.11|b.example'

if [ -e "$internet/zone.pem" ]; then
	hosts a.example:443 curl -sS -m 20 --cacert "$internet/ca" https://a.example/x
	like "CONNECT, TLS" "$out" '^a.example at '
	hosts a.example:443 curl -sS -m 20 --cacert "$internet/ca" https://b.example/x
	is "... another host" "$status" 56
	hosts '*.example' curl -sS -m 20 --cacert "$internet/ca" --connect-to b.example:443:a.example:443 https://b.example/x
	isnt "TLS that names another server" "$status" 0
	not_ok "... which does not hear of it" log_has 'named b.example'
	is "... is a denial that nothing allows" "$(events 'select(.event == "denial") | [.address, .grant]')" '["a.example:443 as b.example",null]'
	run "$seatbelt" --hosts '*.example' --any-server-name -- /usr/bin/curl -sS -m 20 --cacert "$internet/ca" --connect-to b.example:443:a.example:443 https://b.example/x
	ok "control: unless it is not looked at" log_has 'named b.example'
	if command -v git >/dev/null; then
		hosts a.example:443 git -c http.sslCAInfo="$internet/ca" ls-remote https://b.example/x.git
		like "git: another host" "$status $err" '^128 .*403'
		not_ok "... hears nothing" log_has 'b.example'
		hosts a.example:443 git -c http.sslCAInfo="$internet/ca" ls-remote https://a.example/x.git
		ok "git: the listed one" log_has 'named a.example'
	fi
	hosts '*.example' /usr/bin/python3 -c 'import ssl, sys, urllib.request as u
print(u.urlopen("https://a.example/x", timeout=20, context=ssl.create_default_context(cafile=sys.argv[1])).read().decode())' "$internet/ca"
	like "Python, TLS" "$out" '^a.example at '
fi
hosts a.example /usr/bin/python3 -c 'import urllib.request as u
print(u.urlopen("http://a.example/x", timeout=20).read().decode())
try: u.urlopen("http://b.example/x", timeout=20)
except u.HTTPError as e: print(e.code)'
like "Python" "$out" '^a.example at .* /x

403$'
if command -v wget >/dev/null; then
	hosts a.example wget -qO- -T 20 -t 1 http://a.example/x
	like wget "$out" '^a.example at '
fi

# What a client could try; tunnel(HOST, PORT): a socket, and the first line.
cat >"$scratch/raw.py" <<'PYTHON'
import base64, os, re, socket, threading
secret, port = re.match(r"http://(.*)@127.0.0.1:(\d+)", os.environ["http_proxy"]).groups()
key = base64.b64encode(secret.encode()).decode()
def say(data, wait=True):
    s = socket.create_connection(("127.0.0.1", int(port)), 20)
    s.sendall(data)
    return s, (s.recv(65536) if wait else b"")
def first(data):
    s, got = say(data)
    return got.split(b"\r\n")[0].decode()
def tunnel(host, port, more=b""):
    return say(b"CONNECT %s:%d HTTP/1.1\r\nProxy-Authorization: Basic %s\r\n\r\n%s" % (host, port, key.encode(), more))
PYTHON
# raw "HOST..." CODE
raw() { hosts "$1" /usr/bin/python3 -c "$(cat "$scratch/raw.py")
$2"; }
raw 'a.example 192.0.2.10' 'auth = "Proxy-Authorization: Basic " + key + "\r\n\r\n"
for line in ("CONNECT a.example", "CONNECT a.example:0", "CONNECT a.example:99999", "CONNECT a.example:7:7", "CONNECT a.example@b.example:7",
             "CONNECT a..example:7", "CONNECT [a.example]:7", "CONNECT ::1:7", "CONNECT [::1:7", "GET /x", "GET https://a.example/", "GET http://u@a.example/",
             "GET ftp://a.example/", "CONNECT 0xc0.0.2.10:7", "CONNECT 192.0.522:7", "CONNECT a.example:7 x", "CONNECT  a.example:7"):
    print(line, "-", first((line + " HTTP/1.1\r\n" + auth).encode())[:12])
print(first(("CONNECT a.example:7\0.b.example HTTP/1.1\r\n" + auth).encode())[:12], first(("CONNECT b.example:7 HTTP/1.1\r\n" + auth).encode())[:12])
print(first(("CONNECT a.example:7 HTTP/1.1\r\nX: " + auth).encode())[:12], first(("CONNECT a.example:7 HTTP/1.1\r\nProxy-Authorization: Basic " + key[:-1] + "\r\n\r\n").encode())[:12])
try: print(say(b"GET http://a.example/x HTTP/1.1\r\n" + b"X: y\r\n" * 20000)[1])
except ConnectionError: print(b"")'
# shellcheck disable=SC2001 # every line
is "requests that are none" "$(sed 's/.*- //' <<<"$out" | sort | uniq -c | sed 's/^ *//')" "17 HTTP/1.1 400
1 HTTP/1.1 400 HTTP/1.1 403
1 HTTP/1.1 407 HTTP/1.1 407
1 b''"
not_ok "... reach nobody" log_has 'reached'
raw 'a.example' 'data = bytes(range(256)) * 16384
s, got = tunnel(b"a.example", 7, b"first")
while not got.endswith(b"first"): got += s.recv(65536)
t = threading.Thread(target=lambda: (s.sendall(data), s.shutdown(socket.SHUT_WR))); t.start()
back = bytearray()
while True:
    part = s.recv(65536)
    if not part: break
    back += part
print(back == data)
print(tunnel(b"a.example", 8)[1].split(b"\r\n")[0])
many = [tunnel(b"a.example", 7)[0] for i in range(100)]
for i, one in enumerate(many): one.sendall(b"%03d" % i)
print(all(one.recv(3) == b"%03d" % i for i, one in enumerate(many)))
for one in many: one.close()
held = [socket.create_connection(("127.0.0.1", int(port)), 20) for i in range(100)]
print(tunnel(b"a.example", 7)[1][:12])'
is "bytes, an end of one direction, an error, many at once, some that say nothing" "$out" "True
b'HTTP/1.1 502 Not reached'
True
b'HTTP/1.1 200'"
is "... and all of it is counted" "$(events 'select(.event == "reached") | [.port, .connections, .sent >= 4194304, .received >= 4194304]')" '[7,102,true,true]'
raw 'a.example' 'import struct
user = b"\5\1\2" + b"\1\3sbx" + bytes([32]) + secret[4:].encode()
def socks(tail, head=user):
    s, got = say(head + tail, False)
    got = b""
    while True:
        try: part = s.recv(100)
        except ConnectionError: part = b""
        if not part: return got.hex() or "none"
        got += part
        if len(got) >= 14: return got.hex()
print(socks(b"\5\1\0\3\x09a.example\0\7")[:12])
print(socks(b"\5\1\0\3\x09b.example\0\7")[:12])
print(socks(b"\5\2\0\3\x09a.example\0\7")[:12])
print(socks(b"\5\3\0\1\xc0\0\2\x0a\0\7")[:12])
print(socks(b"\5\1\0\3\x0aa.example\0\0\7")[:12])
print(socks(b"\5\1\0\4" + b"\0" * 10 + b"\xff\xff\x7f\0\0\1\0\x16")[:12])
print(socks(b"", b"\5\1\0"), socks(b"", b"\4\1\0\7\xc0\0\2\x0a\0"))'
is "SOCKS in every disguise" "$out" "050201000500
050201000502
050201000507
050201000507
050201000508
050201000502
05ff none"

if [ -e "$internet/zone.pem" ]; then
	raw a.example "$(cat "$TESTS/helper/tls_hello.py")
for what, parts in twice.items(): print(what, asked_again(tunnel(b'a.example', 443)[0], parts), flush=True)
for name, hello in hidden.items(): print('hidden,', name.decode(), asked_again(tunnel(b'a.example', 443)[0], (hello,)), flush=True)"
	is "a server that asks for the first message again gets one with the same name" "$out" "own 2
other 1
changed 1
together 1
in one 0
without a name 1
hidden, a.example 1
hidden, b.example 0
hidden,  0"
	not_ok "... and never hears of another" log_has 'named b.example'
fi

# ---- beginning and end ------------------------------------------------------------------------------
hosts a.example sh -c 'exit 7'
is "the command's own status" "$status $(events 'select(.event == "exit") | .code')" "7 7"
hosts a.example sh -c 'kill -TERM $$'
is "a signal" "$status" 143
run "$seatbelt" --hosts a.example -- relative
is "a command needs its path" "$status" 125
run "$seatbelt" --hosts '0x7f.1' -- /bin/true
is "a list that cannot be read is none" "$status" 2
like "... and says so" "$err" 'another spelling'
run "$seatbelt" --hosts a.example
is "a list without a command" "$status" 2
hosts a.example sh -c 'exec 3<>/dev/tcp/x 2>/dev/null; echo "${http_proxy##*:}"; ls /proc/self/fd | wc -l'
not_ok "it is gone with the command" bash -c "</dev/tcp/127.0.0.1/$(head -n 1 <<<"$out")"
setsid "$seatbelt" --hosts a.example -- /bin/sh -c "echo \${http_proxy##*:} >'$scratch/port'; exec sleep 1000" &
helper=$!
kill_later "$helper"
eventually 20 test -s "$scratch/port"
answers() { bash -c "</dev/tcp/127.0.0.1/$(cat "$scratch/port")"; }
ok "control: it is there" answers
kill -KILL "$helper"
silent() { ! answers; }
ok "it is gone with whoever started it" eventually 20 silent
kill -KILL -- "-$helper" 2>/dev/null || :
finish
