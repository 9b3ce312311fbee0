#!/bin/bash
# The archive of a release: a user installs it without root, it works, it says
# what it did, and uninstalling leaves nothing.  The same build gives the same bytes.
. "${0%/*}/lib/lib.sh"
slow
need PROGRAM make
need PROGRAM readelf
need PROGRAM xz
[ -e "$ROOT/share/release/pack" ] || skip_all "no sources in this copy"
have RELEASE || skip_all "not a release build"
[ "$(file -bL "$SBX/sbx-run" 2>/dev/null | grep -c dynamically)" = 0 ] || skip_all "the programs are not static here"

version=$(sed -n 's/^VERSION = //p' "$ROOT/Makefile")
name=sbx-$version-linux-$(uname -m)
export SOURCE_DATE_EPOCH=1700000000
run "$ROOT/share/release/pack" "$BUILD" "$(uname -m)" "$version" "$scratch/$name.tar.xz" -0
if [ "$status" != 0 ] && grep -q 'not static' <<<"$err"; then
	skip_all "the programs are not static here"
fi
is "an archive is made" "$status" 0
(umask 077 && cd / && TZ=Asia/Kathmandu "$ROOT/share/release/pack" "$BUILD" "$(uname -m)" "$version" "$scratch/again.tar.xz" -0)
ok "... and the same once more" cmp "$scratch/$name.tar.xz" "$scratch/again.tar.xz"

export HOME=$scratch/home
mkdir "$HOME"
tar -C "$scratch" -xf "$scratch/$name.tar.xz"
unpacked=$scratch/$name
# As root the default is another place.
prefix=$HOME/.local
install() { run sh "$unpacked/install.sh" --prefix "$prefix" "$@"; }
before=$(find "$HOME" | sort)

install
is "it installs" "$status$err" 0
like "... and says where" "$out" "^  programs +$prefix/bin \\(.*sbx-run"
like "... what to type next" "$out" "$prefix/bin/sbx-select --probe"
for file in bin/sbx-run libexec/sbx/sbx-linux-sandbox share/man/man1/sbx-run.1 \
	share/bash-completion/completions/sbx-run share/sbx/apparmor/sbx; do
	ok "... $file" test -s "$prefix/$file"
done
is "the AppArmor profile names that place" "$(grep -c "$prefix/libexec" "$prefix/share/sbx/apparmor/sbx")" 1
rm -rf "${unpacked:?}.away"
mv "$unpacked" "$unpacked.away"
if have USERNS; then
	cd "$ws" || exit 1
	run "$prefix/bin/sbx-run" -s workspace-write -a never -C "$ws" -- sh -c "echo x >made; echo x >'$outside/made'"
	ok "it runs" test -s "$ws/made"
	ok "... and holds" absent "$outside/made"
	run sh -c "echo x >'$outside/made'"
	ok "control: without it that is written" test -s "$outside/made"
	cd / || exit 1
fi
mv "$unpacked.away" "$unpacked"
install
is "installing over it" "$status$err" 0
touch "$prefix/bin/mine"
run sh "$prefix/share/sbx/install.sh" --uninstall --prefix "$prefix"
is "it uninstalls itself" "$status$err" 0
is "... and leaves what is not its own" "$(find "$prefix" -type f)" "$prefix/bin/mine"
rm -rf "$prefix"
install
run sh "$unpacked/install.sh" --uninstall --prefix "$prefix"
is "... and otherwise nothing" "$(find "$HOME" ! -path '*/.codex*' | sort)" "$before"
install --uninstall
is "what is not there is not uninstalled" "$status" 1

echo x >>"$unpacked/bin/sbx-run"
install
is "a file that was changed: nothing is installed" "$status $(find "$HOME" -name 'sbx-run')" "1 "
sed -i 's/.*/vax/' "$unpacked/share/sbx/machine"
install
like "another machine: nothing is installed, and it says so" "$status $err" '^1 .*for vax, and this machine is'
install --wrong
is "an unknown option" "$status" 2

finish
