#!/bin/bash
# A socket that the command inherits is of the caller's network and reaches what
# the caller reaches.  One with a single peer is a pipe; what could be turned to
# anybody else is not handed on, and neither is a directory.
. "${0%/*}/lib/lib.sh"

# turn HOW TARGET: uses standard input to reach somebody else
cat >"$scratch/turn" <<'END'
import ctypes, os, socket, struct, sys
how, target = sys.argv[1:]
if target.isdigit():
    target = ("127.0.0.1", int(target))
s = socket.socket(fileno=os.dup(0))
try:
    if how == "connect":
        # AF_UNSPEC: no longer connected
        ctypes.CDLL(None).connect(0, struct.pack("HH12x", 0, 0), 16)
        s.connect(target)
    elif how == "sendto":
        s.sendto(b"x", target)
    elif how == "sendmsg":
        s.sendmsg([b"x"], [], 0, target)
    elif how == "fastopen":
        s.sendmsg([b"x"], [], socket.MSG_FASTOPEN, target)
except OSError as e:
    sys.exit(str(e))
END
# drive KIND HOW WITHIN PROGRAM...: PROGRAM as it is and under each line of WITHIN, with
# such a socket; for each its status and who was reached, what it says in WITHIN.NUMBER
cat >"$scratch/drive" <<'END'
import os, socket, subprocess, sys, tempfile
kind, how, within, *program = sys.argv[1:]
family = socket.AF_UNIX if kind.startswith("unix") else socket.AF_INET
type = socket.SOCK_DGRAM if "datagram" in kind else socket.SOCK_STREAM
def server(place, name):
    s = socket.socket(family, type)
    s.bind(place + "/" + name if family == socket.AF_UNIX else ("127.0.0.1", 0))
    if type == socket.SOCK_STREAM:
        s.listen()
    return s
def reached(other):
    """Who comes first: the command, or we after it?"""
    mark = socket.socket(family, type)
    mark.connect(other.getsockname())
    mark.send(b"mark")
    if type == socket.SOCK_STREAM:
        other = other.accept()[0]
    return other.recv(10) != b"mark"
def drive(place, command, said):
    own, other = server(place, "own"), server(place, "other")
    line = socket.socket(family, type)
    if kind.endswith("connected"):
        line.connect(own.getsockname())
    elif kind.endswith("listening"):
        line = own
    elif kind.endswith("pair"):
        line, keep = socket.socketpair(family, type)
    name = other.getsockname()
    target = name if family == socket.AF_UNIX else str(name[1])
    status = subprocess.run(command + program + [how, target], stdin=line, stderr=said).returncode
    line.close()
    print(status, "reached" if reached(other) else "not reached")
commands = [[]] + [line.split() for line in open(within)]
for number, command in enumerate(commands):
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place, open(f"{within}.{number}", "w") as said:
        drive(place, command, said)
END
for network in '--network off' '--network loopback' '--network on' ''; do
	echo "$SBX/sbx-run -s workspace-write -a never -C $ws $network --"
done >"$scratch/within"
chmod 644 "$scratch/turn"

# Where no connection to the machine itself is held, a socket of its network gives nothing more.
open_loopback=$("$SBX/sbx-run" --network on --dry-run -C "$ws" -- true 2>/dev/null | grep -w host-loopback) || true

# Kind of socket, what is done with it, and whether the command gets it at all
# where the network is off, loopback and on.
# shellcheck disable=SC2034
while read -r kind how off loopback on; do
	case $kind in "" | \#*) continue ;; esac
	run python3 "$scratch/drive" "$kind" "$how" "$scratch/within" python3 "$scratch/turn"
	mapfile -t drove <<<"$out"
	case $how in
	read) ;;
	fastopen) [ "${drove[0]#* }" = reached ] || skip "control: $kind, $how" "not with this kernel's settings" ;;
	*) is "control: without a sandbox $kind, $how reaches another" "${drove[0]#* }" reached ;;
	esac
	number=0
	for network in off loopback on; do
		number=$((number + 1))
		got=${drove[number]-}
		case ${!network} in
		refused)
			is "$network: $kind, $how: not run, nobody is reached" "$got" "125 not reached"
			like "... and it is said" "$(cat "$scratch/within.$number")" \
				'sbx-(run|linux-sandbox): standard input is a (datagram )?socket'
			;;
		held)
			if [ "$network" = on ] && [ -n "$open_loopback" ]; then
				skip "$network: $kind, $how: nobody else is reached" "host-loopback, says lost"
			else
				is "$network: $kind, $how: nobody else is reached" "${got#* }" "not reached"
			fi
			;;
		free) is "$network: $kind, $how: its own business" "${got%% *}" 0 ;;
		esac
	done
	# Where nobody asked for a loopback, there is none beside a socket of the caller's.
	got=${drove[4]-}
	case $off in
	refused) is "nothing said: $kind, $how: not run, nobody is reached" "$got" "125 not reached" ;;
	held) is "nothing said: $kind, $how: nobody else is reached" "${got#* }" "not reached" ;;
	free) is "nothing said: $kind, $how: its own business" "${got%% *}" 0 ;;
	esac
done <<'END'
internet-connected           connect   held    refused  held
internet-fresh               connect   refused refused  held
internet-fresh               fastopen  refused refused  held
internet-datagram            sendmsg   refused refused  free
internet-datagram            sendto    refused refused  free
internet-datagram-connected  sendmsg   refused refused  free
unix-datagram                sendmsg   refused refused  refused
unix-datagram-pair           sendmsg   refused refused  refused
unix-datagram-connected      sendto    refused refused  refused
unix-fresh                   connect   refused refused  refused
# These are pipes.
unix-pair                    read      free    free     free
unix-connected               read      free    free     free
unix-listening               read      free    free     free
internet-listening           read      free    refused  free
internet-connected           read      free    refused  free
END

run "$TRY" openat 0 made <"$outside"
ok "control: without a sandbox a directory opens what is below" test -e "$outside/made"
rm -f "$outside/made"
for name in input output error; do
	number=0
	[ $name != output ] || number=1
	[ $name != error ] || number=2
	# shellcheck disable=SC2016
	run bash -c 'fd=$1 dir=$2; shift 2; eval "exec 9>&2 $fd<\"\$dir\""; exec "$@"' bash \
		"$number" "$outside" "${box[@]}" "$TRY" openat "$number" made
	is "a directory as standard $name: not run" "$status" 125
	ok "... and nothing is made in it" absent "$outside/made"
done
run bash -c 'dir=$1; shift; exec 7<"$dir"; exec "$@"' bash "$outside" \
	"$SBX/sbx-run" -s workspace-write -a never -C "$ws" --keep-fd 7 -- true
is "a directory that is asked for is there" "$status" 0
finish
