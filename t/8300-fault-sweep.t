#!/bin/bash
# When a system call of the set-up fails, or a process is killed there, the
# command runs fully confined or not at all, and nothing is left.  A sample;
# "make fault-sweep" tries them all.
. "${0%/*}/lib/lib.sh"
slow
need X86_64
need RELEASE
need USERNS
need PROGRAM python3

sweep() { run "$TESTS/fault-sweep" "$BUILD" --jobs 2 "$@"; }

# launcher NAME LINE...: a program in the place of sbx-run
launcher() {
	{
		echo '#!/bin/sh'
		printf '%s\n' "${@:2}"
	} >"$scratch/$1"
	chmod 755 "$scratch/$1"
}
# notices WORD NAME: the sweep finds that of a launcher, and fails
notices() {
	sweep --sample 1 --only '0:execve:|0:brk:1:' --seconds 2 --launcher "$scratch/$2"
	is "control: a launcher that $2 fails the sweep" "$status" 1
	like "control: and is called $1" "$out" "^$1: "
}

# shellcheck disable=SC2016
{
	launcher confines-nothing 'while [ "$1" != -C ]; do shift; done; cd "$2" || exit' \
		'while [ "$1" != -- ]; do shift; done; shift; "$@"'
	launcher sleeps 'exec sleep 1000'
	launcher leaves-a-process 'sleep 1000 >/dev/null 2>&1 & echo no >&2; exit 125'
	launcher leaves-a-file 'while [ "$1" != -C ]; do shift; done; : >"$2/file"; echo no >&2; exit 125'
	launcher says-nothing 'exit 125'
	launcher lies 'exit 0'
}
notices UNCONFINED confines-nothing
notices HANG sleeps
notices LEFT leaves-a-process
notices LEFT leaves-a-file
notices SILENT says-nothing
notices 'WRONG CODE' lies

sample=$(long 40 3)
sweep --sample "$sample"
is "one call of $sample of each process, once" "$status" 0
note "$out"
like "some faults leave the command confined" "$out" '^all +[0-9]+ +[1-9]'
like "some stop it" "$out" '^all +[0-9]+ +[0-9]+ +[1-9]'
sweep --sample "$(long 48 4)" --with=--json --only '^sbx-run|^sbx-linux-sandbox 0\.[56]:'
is "the same for a caller that captures" "$status" 0
note "$out"

# Where no overlay can be mounted a second attempt is made, with mounts of its own.
if have OVERLAY; then
	mkdir -p "$scratch/home/.cache"
	again() { HOME=$scratch/home run "$HELPER/fault" "$scratch/result" 20 "$1" "$TRY" refuse 430 1 \
		"$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- true; }
	again -
	point=$(awk '$2 == "sbx-linux-sandbox" && $3 == "memfd_create" && $4 == 3 { print $1 }' "$scratch/result")
	again "$point:memfd_create:3:EMFILE"
	like "a fault in the second attempt is reached" "$(cat "$scratch/result")" '^reached=1 status=125 hung=0 left=0'
	like "... and is the one that is reported" "$err" '^sbx-run: memfd_create: '
fi
finish
