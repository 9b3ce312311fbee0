#!/bin/bash
# No socket reaches anybody outside, by any family, call or address; a pair of
# connected sockets keeps working.
. "${0%/*}/lib/lib.sh"
slow

name=sbx-t-$$-$RANDOM
listen "unix-stream:$outside/stream" "unix-seqpacket:$outside/seq" "unix-dgram:$outside/dgram" \
	"unix-stream:@$name-s" "unix-dgram:@$name-d" tcp: udp: \
	"unix-stream:$ws/stream" "unix-dgram:$ws/dgram" || finish
tcp=${listening[5]} udp=${listening[6]}

for network in off loopback on; do
	set_box --network "$network"
	boxed true
	is "$network: starts" "$status" 0
	for where in "$outside" "$ws"; do
		at=${where##*/}
		unheard "$network: $at: stream connect" "$TRY" unix-connect stream "$where/stream"
		unheard "$network: $at: dgram connect" "$TRY" unix-connect dgram "$where/dgram"
		for call in sendto sendmsg sendmmsg connect; do
			for from in socket pair; do
				unheard "$network: $at: dgram $call from a $from" \
					"$TRY" unix-send $call $from dgram "$where/dgram"
			done
		done
	done
	unheard "$network: seqpacket connect" "$TRY" unix-connect seqpacket "$outside/seq"
	unheard "$network: abstract stream" "$TRY" unix-connect stream "@$name-s"
	for call in sendto sendmsg sendmmsg; do
		unheard "$network: abstract dgram $call" "$TRY" unix-send $call socket dgram "@$name-d"
	done
	usable "$network: a stream pair" socketpair stream
	usable "$network: a seqpacket pair" socketpair seqpacket
	for family in "vsock stream" "packet raw" "packet dgram" "alg seqpacket" "bluetooth raw" \
		"can raw" "tipc stream" "xdp raw" "key raw" "qipcrtr dgram" "rds seqpacket" "smc stream"; do
		# shellcheck disable=SC2086
		refused "$network: family $family" socket $family
	done
done

for network in off loopback; do
	set_box --network "$network"
	# A machine that has nothing but a loopback lends its own, where there are no namespaces.
	if [ "$network" = off ] || have NAMESPACES; then
		unheard "$network: TCP to the host's loopback" "$TRY" tcp-connect "$tcp"
		unheard "$network: TCP fast open" "$TRY" tcp-fastopen "$tcp"
		unheard "$network: UDP to the host's loopback" "$TRY" udp-send "$udp"
	fi
	refused "$network: raw socket" socket inet raw
	boxed "$TRY" tcp-connect 80 192.0.2.1
	like "$network: TCP to another host" "$out" '^tcp-connect E(PERM|ACCES|NETUNREACH)$'
done
set_box --network on
# In a container of Docker's kind other processes' sockets are kept from us, and "lost" says so.
if "$SBX/sbx-policy" -C "$ws" -s workspace-write -a never --network on -- true | "$SBX/sbx-approve" |
	"$SBX/sbx-select" | jq -r '.sandbox.lost[].guarantee' | grep -qx host-loopback; then
	skip "on: TCP to the host's loopback" "its sockets are kept from us here"
else
	unheard "on: TCP to the host's loopback" "$TRY" tcp-connect "$tcp"
fi
unheard "on: TCP fast open" "$TRY" tcp-fastopen "$tcp"
set_box --network on --allow-host "localhost:$tcp"
deaf
boxed "$TRY" tcp-connect "$tcp"
like "control: with the network on and this machine listed, TCP arrives" "$(heard)" "^tcp received"

set_box
unheard "nothing said: TCP to the host's loopback" "$TRY" tcp-connect "$tcp"
unheard "nothing said: UDP to the host's loopback" "$TRY" udp-send "$udp"
boxed "$TRY" tcp-connect 80 192.0.2.1
like "nothing said: TCP to another host" "$out" '^tcp-connect E(PERM|ACCES|NETUNREACH)$'
set_box --network off
for family in "inet stream" "inet dgram" "inet6 stream" "netlink raw"; do
	# shellcheck disable=SC2086
	refused "off: socket $family" socket $family
	# shellcheck disable=SC2086
	refused "off: socket $family with flags" socket-flags $family
	# shellcheck disable=SC2086
	refused "off: socket $family with high bits" socket-high $family
done
if have OBSERVER; then
	usable "a datagram pair" socketpair dgram
else
	skip "usable: a datagram pair" "nobody watches here who could make one"
fi
finish
