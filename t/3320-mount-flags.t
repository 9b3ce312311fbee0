#!/bin/bash
# The mounts inside have the same flags whether whole trees were attached at
# once or, where the kernel cannot, one by one; every one of them has nosuid.
. "${0%/*}/lib/lib.sh"
need X86_64
need NAMESPACES

# Copies of caches need what is refused below.
export HOME=/nonexistent
set_box
# The topmost mount at each place; what lies below one cannot be reached.
visible='{ flags[$5] = $6 } END { for (place in flags) print place, flags[place] }'
table() { grep -vF -f <(unreached_mounts | sed 's/$/ /') <<<"$out" | sort; }
boxed awk "$visible" /proc/self/mountinfo
whole=$(table)
is "a sandbox has a mount table" "$status" 0
like "with the file system read-only" "$whole" '^/ ro,nosuid,nodev'
like "and the workspace writable" "$whole" "^$ws rw,nosuid,nodev"
is "nothing without nosuid" "$(grep -v nosuid <<<"$whole")" ''
is "nothing but device nodes without nodev" "$(grep -v -e nodev -e '^/dev/' <<<"$whole")" ''

while read -r number what; do
	run "$TRY" refuse "$number" 38 "${box[@]}" awk "$visible" /proc/self/mountinfo
	is "$what missing: the same table" "$(table)" "$whole"
	run "$TRY" refuse "$number" 1 "${box[@]}" awk "$visible" /proc/self/mountinfo
	is "$what forbidden: the same table" "$(table)" "$whole"
done <<'END'
428 open_tree
429 move_mount
442 mount_setattr
END
finish
