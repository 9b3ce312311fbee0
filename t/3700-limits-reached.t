#!/bin/bash
# A run that takes more than it may is ended, whatever it does, with what says so; the
# machine goes on meanwhile, and nothing is left.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/limits.sh"
need SANDBOX

# Controls: without a limit they take what they are told to.
for bomb in "memory 96" "memfd 96" "threads 60" "fork 60"; do
	# shellcheck disable=SC2086 # two words
	run timeout 120 "$SBX/sbx-run" --json -a never -s workspace-write -C "$ws" -- ./bomb $bomb
	is "control: $bomb" "$(said '.result | [.exit_code, .stdout]')" "[0,\"took ${bomb#* }\nrefused 0\n\"]"
done

# A process outside that wants to run every few ms.
"$BOMB" rhythm 8000 >"$scratch/rhythm" &
probe=$!
kill_later "$probe"
for mode in workspace-write danger-full-access; do
	bounded memory=64M -s "$mode" -- ./bomb memory 400
	ended "$mode: memory" memory memory=128M
	bounded memory=64M -s "$mode" -- ./bomb memfd 400
	ended "$mode: a file in memory" memory memory=128M
	bounded processes=24 -s "$mode" -- ./bomb fork 200
	ended "$mode: processes" processes processes=48
	bounded processes=24 -s "$mode" -- ./bomb threads 200
	ended "$mode: threads" processes processes=48
	bounded processes=24 -s "$mode" -- ./bomb storm 4000
	ended "$mode: a storm" processes processes=48
	# Root is not counted by the kernel, and without a cgroup by nobody who is quick enough.
	if [ "$EUID" != 0 ] || [ "$(said .result.usage.measured)" = cgroup ]; then
		ok "$mode: ... that never was one" [ "$(said .result.usage.processes_peak)" -lt 2500 ]
	fi
done
if have NAMESPACES; then
	bounded memory=64M -s workspace-write -- ./bomb shm 400 /dev/shm/file
	ended "a /dev/shm of the sandbox's own" memory memory=128M
fi
bounded processes=24,memory=64M -s workspace-write -- sh -c 'for i in 1 2 3 4; do (./bomb fork 40 &) ; done; exec ./bomb fork 40'
ended "a bomb that leaves its parents" processes processes=48
wait "$probe"
longest=$(cat "$scratch/rhythm")
ok "a bystander waited ${longest:-for ever} ms at most" [ "${longest:-9999}" -lt 5000 ]
ok "nothing is left" eventually 5 nothing_left

# A limit that is not reached changes nothing.
bounded processes=100,memory=256M,cpu=1,files=1G -s workspace-write -- ./bomb memory 40
is "below its limits a command is as it was" "$(said '.result | [.exit_code, .denied, .stdout]')" '[0,false,"took 40\nrefused 0\n"]'
run "$SBX/sbx-run" -s workspace-write -a never --limit memory=64M -C "$ws" -- ./bomb memory 400
is "without a terminal: status" "$status" 137
is "... and one line" "$err" "sbx-run: memory 64M reached by bomb: --limit memory=128M"
run "$SBX/sbx-run" -s workspace-write -a never --report human --limit memory=64M -C "$ws" -- ./bomb memory 400
# A kernel before 6.6 is said not to show denials.
is "--report human says it, and how to go on" "$(grep -v 'denials are not observed' <<<"$err")" "sbx-run: memory 64M reached by bomb: --limit memory=128M
sbx-run: run again with: --limit memory=128M"
run "$SBX/sbx-run" -s workspace-write -a never --report off --limit memory=64M -C "$ws" -- ./bomb memory 400
is "--report off nothing" "$status $err" "137 "
run "$SBX/sbx-run" -s workspace-write -a on-failure --approver "exit 1" --json --limit memory=64M -C "$ws" -- ./bomb memory 400
is "nobody is asked for more" "$(said '.result | [.attempts, (.questions | length)]')" '[1,0]'
"$SBX/sbx-run" --dry-run -s workspace-write -a never --limit memory=64M -C "$ws" -- ./bomb memory 400 >"$scratch/doc" 2>&1
run "$SBX/sbx-run" --exec --json <"$scratch/doc"
ended "--exec" memory memory=128M
finish
