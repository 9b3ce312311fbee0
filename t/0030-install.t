#!/bin/bash
# make install puts everything where an installed program finds it, and make
# uninstall takes it away again.
. "${0%/*}/lib/lib.sh"
need PROGRAM make
[ -e "$ROOT/lib/base/error.h" ] || skip_all "no sources in this copy; root installs from the checkout"

# In a private build directory: "install" must not build for the caller.
install_to() { run make -s -C "$ROOT" -o all "$1" BUILD="$BUILD" DESTDIR="$scratch/dest" PREFIX=/opt/sbx; }
install_to install
is "make install" "$status" 0
prefix=$scratch/dest/opt/sbx
for file in bin/sbx-run bin/sbx-policy bin/sbx-approve bin/sbx-select bin/sbx-wrap libexec/sbx/sbx-linux-sandbox; do
	ok "$file can be executed" test -x "$prefix/$file"
	is "$file is not set-id" "$(find "$prefix/$file" -perm /6000)" ""
done
for file in share/man/man1/sbx-run.1 share/doc/sbx/README share/doc/sbx/LICENSE share/doc/sbx/SECURITY share/doc/sbx/design share/doc/sbx/threats share/doc/sbx/glossary share/sbx/schema/document.json; do
	ok "$file is there" test -e "$prefix/$file"
done

# The installed one runs, from another directory and without the build.
cp -a "$prefix" "$scratch/moved"
(cd / && exec "$scratch/moved/bin/sbx-run" -s workspace-write -a never -C "$ws" -- sh -c 'echo ran; touch made; touch ../outside/made') >"$scratch/o" 2>"$scratch/e"
is "an installed sbx-run runs a command" "$(cat "$scratch/o")" ran
ok "in the workspace it writes" test -e "$ws/made"
ok "outside it does not" absent "$outside/made"
ln -s "$scratch/moved/bin/sbx-run" "$scratch/link"
run "$scratch/link" -s workspace-write -a never -C "$ws" -- echo ran
is "through a link as well" "$out" ran

install_to uninstall
is "make uninstall leaves no file" "$(find "$prefix" -type f)" ""
finish
