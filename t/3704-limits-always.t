#!/bin/bash
# Unasked: the command goes first where the machine has no memory left, has so many
# processes and no more, and "usage" says what it took.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/limits.sh"
need SANDBOX

# The smaller one of ours and what the caller has.
usual=$(ulimit -Hu)
[ "$usual" != unlimited ] && [ "$usual" -lt 16384 ] || usual=16384
for mode in read-only workspace-write danger-full-access; do
	run "$SBX/sbx-run" -s "$mode" -a never -C "$ws" -- bash -c 'cat /proc/self/oom_score_adj; ulimit -Hu'
	is "$mode: goes first; processes" "$out" "1000
$usual"
done
if have LANDLOCK 3; then
	run "$TRY" docker "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- bash -c 'cat /proc/self/oom_score_adj; ulimit -Hu'
	is "Landlock alone: goes first; processes" "$out" "1000
$usual"
else
	skip "Landlock alone: goes first; processes" "this kernel's Landlock is older than ABI 3"
fi
"$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- ./bomb rhythm 20000 >"$scratch/other" &
other=$!
kill_later "$other"
runs() { [ -n "$(bombs_left)" ]; }
eventually 10 runs
is "not what supervises it" "$(cat "/proc/$other/oom_score_adj" "/proc/$(pgrep -P "$other" | head -n 1)/oom_score_adj" | sort -u)" "$(cat /proc/self/oom_score_adj)"
kill "$other"

usage='.result.usage | [.memory_peak > 30000000, .cpu_ms >= 100, .bytes_written >= 0, (.memory_peak < 60000000)]'
for mode in workspace-write danger-full-access; do
	run "$SBX/sbx-run" --json -s "$mode" -a never -C "$ws" -- sh -c './bomb memory 32; ./bomb spin 100'
	is "$mode: what was used is said" "$(said "$usage")" '[true,true,true,true]'
	run "$SBX/sbx-run" --json -s "$mode" -a never --limit memory=128M,processes=24 -C "$ws" -- sh -c './bomb memory 32; ./bomb spin 100; BOMB_WAIT=1 ./bomb fork 8'
	is "... with limits, too" "$(said "$usage")" '[true,true,true,true]'
	is "... and how many there were" "$(said '.result.usage.processes_peak | (. >= 9 and . <= 12)')" true
done
run "$SBX/sbx-run" --json -s workspace-write -a never -C "$ws" -- nosuchprogram
is "of what did not run as well" "$(said '.result.usage | has("memory_peak") and has("cpu_ms")')" true
run "$SBX/sbx-run" --json -s workspace-write -a never --timeout 0.5 -C "$ws" -- ./bomb spin 20000
is "of what took too long" "$(said '.result | [.timed_out, (.usage.cpu_ms | type)]')" '[true,"number"]'
finish
