#!/bin/bash
# What comes out of a preview has the attributes and lists of who may that it has without one,
# in directories that pass theirs on as well.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
need PROGRAM python3
export HOME=$scratch/home
mkdir "$HOME"

# A list as the kernel has it: the owner and one user by name may everything, others read.
cat >"$scratch/attributes" <<'END_OF_PYTHON'
import os, struct, sys

ANYBODY = 0xffffffff
LIST = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in (
    (1, 7, ANYBODY), (2, 7, os.geteuid()), (4, 5, ANYBODY), (16, 7, ANYBODY), (32, 5, ANYBODY)))


def begin():
    for name in ("with", "without", "old", "shared"):
        os.mkdir(name)
    os.chmod(".", 0o2755)
    os.chmod("shared", 0o2775)
    for name in (".", "with"):
        os.setxattr(name, "system.posix_acl_default", LIST)
    os.setxattr("old", "user.mark", b"old")


def work():
    for name in ("with/new", "without/new", "new", "old/new"):
        with open(name, "w", encoding="ascii") as file:
            file.write("x")
    os.setxattr("new", "user.mark", b"new")
    os.makedirs("dir/below")
    os.setxattr("dir/below", "user.mark", b"below")
    os.setxattr("dir/below", "system.posix_acl_default", LIST)
    os.mkdir("with/closed")
    os.setxattr("with/closed", "user.mark", b"closed")
    os.setxattr("without/new", "system.posix_acl_access", LIST)
    with open("dir/below/new", "w", encoding="ascii") as file:
        file.write("x")
    os.chmod("with/closed", 0o500)
    os.chmod("dir", 0o555)
    os.mkdir("shared/dir")
    os.symlink("dir", "shared/link")


def show():
    print(oct(os.stat(".").st_mode))
    for top, names, files in sorted(os.walk(".")):
        for name in sorted(names + files):
            path = top + "/" + name
            print(path, oct(os.lstat(path).st_mode), sorted((x, os.getxattr(path, x).hex()) for x in os.listxattr(path)))


globals()[sys.argv[1]]()
END_OF_PYTHON
attributes() { env -C "$ws" python3 "$scratch/attributes" "$1"; }
begin() {
	remove "$ws"
	mkdir "$ws"
	attributes begin
}
begin 2>"$scratch/.ok" || skip_all "this file system has no attributes or lists: $(tail -n 1 "$scratch/.ok")"
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- python3 "$scratch/attributes" work
is "control: without a preview" "$status" 0
plain=$(attributes show)
like "control: a list is passed on" "$plain" "\./with/new .*posix_acl_access"
begin
run "$SBX/sbx-run" --preview -a never --report off -C "$ws" -- python3 "$scratch/attributes" work
is "in a preview" "$status" 0
run "$SBX/sbx-run" --apply "$("$SBX/sbx-run" --changes | head -n 1 | cut -d ' ' -f 1)"
is "... that is applied" "$status $err" "0 "
is "the same of everything" "$(diff <(echo "$plain") <(attributes show))" ""
finish
