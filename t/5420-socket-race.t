#!/bin/bash
# Changing the address, or what the descriptor means, while connect() is being
# decided never reaches a socket that is not allowed.
. "${0%/*}/lib/lib.sh"
need NOTIFY

listen "unix-stream:$outside/forbidden" "unix-stream:$ws/forbidden"
tries=$(long 300 10000)
lost() {
	rm -f "$ws/own"
	"$HELPER/race" "$ws/own" "$outside/forbidden" 1000 >/dev/null
	[ -n "$(heard)" ]
}
ok "control: without a sandbox the race is lost" eventually 20 lost
deaf
rm -f "$ws/own"
for network in off loopback on; do
	for forbidden in "$outside/forbidden" "$ws/forbidden"; do
		run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --network "$network" -- \
			"$HELPER/race" "$ws/own" "$forbidden" "$tries"
		rm -f "$ws/own"
		like "$network: the allowed one is reached" "$out" '^[1-9][0-9]* of [0-9]+ connected'
		is "$network: ${forbidden#"$scratch"/} is never" "$(heard)" ''
		deaf
	done
done
finish
