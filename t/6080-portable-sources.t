#!/bin/bash
# What runs on macOS needs nothing of Linux: its sources pass a compiler that
# takes itself for macOS's, with every header of Linux replaced by an error and
# without the functions that only GNU systems declare.
. "${0%/*}/lib/lib.sh"
slow

folders=(lib sbx-run sbx-policy sbx-approve sbx-select sbx-wrap sbx-seatbelt sbx-wintoken)
# The tests also run from a copy without sources; they were checked already.
if [ ! -d "$ROOT/sbx-seatbelt" ]; then
	skip_all "no sources in this tree"
fi

# Headers that libc's own headers include.  Nobody else may; see below.
inner='limits.h errno.h posix_types.h stddef.h types.h'
hidden=$scratch/hidden
mkdir -p "$hidden/linux" "$hidden/sys" "$hidden/asm"
hide() { printf '#error "%s is not for macOS"\n' "$1" >"$hidden/$1"; }
for header in /usr/include/linux/*.h; do
	case " $inner " in *" ${header##*/} "*) ;; *) hide "linux/${header##*/}" ;; esac
done
for name in auxv capability epoll eventfd fanotify fsuid inotify klog mount personality prctl \
	quota sendfile signalfd statfs syscall sysinfo sysmacros timerfd vfs xattr; do
	hide "sys/$name.h"
done
for name in error malloc mntent obstack seccomp syscall; do
	hide "$name.h"
done

flags=(-fsyntax-only -std=gnu17 -D_DARWIN_C_SOURCE -D__APPLE__ -U__linux__ -U__linux -Ulinux
	-U__gnu_linux__ "-DSBX_VERSION=\"\"" -iquote "$ROOT/lib" -isystem "$hidden"
	-isystem "$TESTS/helper/darwin" -include "$TESTS/helper/darwin/shim.h"
	-Werror=implicit-function-declaration -Werror=int-conversion)
compile() { "${CC:-gcc}" "${flags[@]}" "$@"; }

# Of a program or the library, in whatever room; without what runs on Windows.
sources() { find "$ROOT/$1" -name '*.c' ! -path '*/windows/*' ! -path '*/sbx-wintoken/access/*' | sort; }

# The control: the trap closes on what it is made for.
echo '#include <sys/prctl.h>' >"$scratch/header.c"
run compile "$scratch/header.c"
like "control: a header of Linux is an error" "$err" 'is not for macOS'
printf '#include <unistd.h>\n#include <fcntl.h>\nint main(void){int p[2];return pipe2(p,O_CLOEXEC);}\n' >"$scratch/call.c"
run compile "$scratch/call.c"
like "control: a call of Linux is an error" "$err" 'implicit declaration .*pipe2'
printf '#ifdef __linux__\n#include <sys/prctl.h>\n#endif\nint main(void){return 0;}\n' >"$scratch/good.c"
run compile "$scratch/good.c"
is "control: what is for Linux alone does not count" "$status" 0

for folder in "${folders[@]}"; do
	bad=
	files=0
	for file in $(sources "$folder"); do
		files=$((files + 1))
		compile -iquote "$ROOT/$folder" "$file" 2>"$scratch/.err" || bad+="${file##*/}: $(grep -m 1 error: "$scratch/.err")"$'\n'
	done
	is "$folder: $files files compile for macOS" "$bad" ""
done

# The headers that cannot be hidden are not used by name outside of Linux parts.
named() { # FILE...: their own directives that name one, where macOS looks
	local file files=("$@") directive='^[[:space:]]*#[[:space:]]*include[[:space:]]*<(linux|asm)/'
	# A header is part of many; in a source it concerns that one.
	grep -rqE --include='*.h' "$directive" "${folders[@]/#/$ROOT/}" ||
		mapfile -t files < <(grep -lE "$directive" "$@")
	for file in "${files[@]}"; do
		"${CC:-gcc}" "${flags[@]/-fsyntax-only/-E}" -iquote "${file%"${file#"$ROOT"/*/}"}" -dI "$file" 2>/dev/null |
			awk -v own="\"${file%/*}/" '/^# [0-9]/ {here = index($3, own) == 1 || index($3, "lib/")}
				here && /^#include <(linux|asm)\//'
	done
}
echo '#include <linux/limits.h>' >"$scratch/inner.c"
like "control: an inner header is found" "$(named "$scratch/inner.c")" '^#include <linux/limits.h>'
for folder in "${folders[@]}"; do
	# shellcheck disable=SC2046 # names without blanks
	is "$folder: names no inner header" "$(named $(sources "$folder"))" ""
done
finish
