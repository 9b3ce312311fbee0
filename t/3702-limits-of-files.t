#!/bin/bash
# What fills a disk, a terminal or a table of files: --limit tmp and files, the captured
# output, and how many files are open.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/limits.sh"
need SANDBOX

limits='.result.denials | map(select(.op == "limit") | [.limit, .value, .allow_with])'
if have NAMESPACES; then
	bounded tmp=4M -s workspace-write -- ./bomb fill 32 /tmp/file
	is "/tmp is full at its size" "$(said '[.result.exit_code, .result.stdout]')" '[1,"took 4\nrefused 28\n"]'
	is "... which is said" "$(said "$limits")" '[["tmp",4194304,"--limit tmp=8M"]]'
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- ./bomb fill 32 /tmp/file
	is "control: without it there is room" "$out" "took 32
refused 0"
	bounded tmp=1M -s workspace-write -- sh -c 'cd /tmp; seq 3000 | xargs touch 2>/dev/null; seq 1000 | xargs rm -f; seq 3000 | xargs touch 2>/dev/null; ls | wc -l'
	names=$(said '.result.stdout | tonumber')
	ok "so it is with files that are empty" [ $((names / 100)) = 10 ]
	is "... which is said" "$(said "$limits")" '[["tmp",1048576,"--limit tmp=2M"]]'
	bounded tmp=4M -s workspace-write -- sh -c 'ls /tmp; echo x >/tmp/own && cat /tmp/own; stat -c %a /tmp'
	is "it is empty, the run's own, and can be written" "$(said .result.stdout)" 'x
700'
	in_tmp
	mkdir "$tmp/ws"
	run "$SBX/sbx-run" -s workspace-write -a never --limit tmp=4M -C "$tmp/ws" -- sh -c 'echo in >file; echo y >/tmp/y; cat file'
	is "a workspace below /tmp is there all the same" "$status $out $(cat "$tmp/ws/file")" "0 in in"
	TMPDIR=/tmp/mine boxed true
	run env TMPDIR=/tmp/mine "$SBX/sbx-run" -s workspace-write -a never --limit tmp=4M -C "$ws" -- sh -c 'mktemp >/dev/null && echo made'
	is "and what TMPDIR names in it" "$out" made
fi
run "$SBX/sbx-run" -s workspace-write -a never --tmp shared --limit tmp=4M -C "$ws" -- true
like "not of the host's /tmp" "$status $err" "^125 .*--limit tmp: bounds the private /tmp"

for mode in workspace-write danger-full-access; do
	bounded files=2M -s "$mode" -- ./bomb fill 16 file
	is "$mode: no file is larger than that" "$(said .result.exit_code) $(stat -c %s "$ws/file")" "153 2097152"
	is "... which is said" "$(said "$limits")" '[["files",2097152,"--limit files=4M"]]'
	rm "$ws/file"
done

# What was too little is learned.
run "$SBX/sbx-run" -s workspace-write -a never --learn --limit files=2M -C "$ws" -- ./bomb fill 16 file
like "--learn has the limit that would be enough" "$err" '^files = "4M"$'
like "... in its table" "$err" '^\[permissions.bomb.limits\]$'
rm "$ws/file"

# A flood of output is no memory of ours.
cat >"$scratch/flood" <<'END'
yes 0123456789012345678901234567890123456789 | head -c 40000000
END
bounded memory=64M -s workspace-write -- sh "$scratch/flood"
is "output is captured up to a megabyte" "$(said '[.result.exit_code, (.result.stdout | length), .result.truncated.stdout]')" '[0,1048576,true]'

if have PROGRAM python3; then
	# The largest of all processes, ours among them.
	run python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' \
		"$SBX/sbx-run" --json -s workspace-write -a never -C "$ws" -- sh "$scratch/flood"
	ok "... and 40 of them take $out MiB at most" [ "${out:-999}" -lt 32 ]
fi

# Open files end where the caller's own limit does.
# Without a home: each cache of the tools that are installed takes some while it is mounted.
run env HOME=/nonexistent sh -c 'ulimit -n 200; exec "$@"' sh "$SBX/sbx-run" --json -s workspace-write -a never -C "$ws" -- ./bomb files 400
is "open files are bounded as the caller's are" "$(said '.result.stdout | split("\n")[0] | ltrimstr("took ") | tonumber < 200')" true

# Of a processor no more than that, where a cgroup holds it.
bounded cpu=0.2 -s workspace-write -- ./bomb spin 200
if [ "$(said '.sandbox.lost | map(.guarantee) | index("limit-cpu")')" = null ]; then
	ok "a fifth of a processor takes five times as long" [ "$(said .result.duration_ms)" -ge 700 ]
else
	is "without one it is said" "$(said '.sandbox.lost | map(.guarantee | select(startswith("limit-")))')" '["limit-cpu"]'
fi
finish
