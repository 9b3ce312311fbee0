#!/bin/bash
# The check of an installed copy passes for a good one, and each way to break a
# copy makes it fail and say so.
. "${0%/*}/lib/lib.sh"
slow
need PROGRAM make
need USERNS
[ -e "$ROOT/lib/base/error.h" ] || skip_all "no sources in this copy; root installs from the checkout"

version=$(sed -n 's/^VERSION = //p' "$ROOT/Makefile")
run make -s -C "$ROOT" -o all install BUILD="$BUILD" DESTDIR="$scratch/good" PREFIX=/usr
is "control: installed" "$status" 0
installcheck() { run env HOME="$scratch" "$TESTS/installcheck" "$1" "${2-$version}"; }
installcheck "$scratch/good/usr"
is "a good copy passes" "$status $(grep -c ^WRONG <<<"$out")" "0 0"
is "every claim was looked at" "$(grep -cE '^ok .*(writing (in|out)side|network off it fails|exit status)' <<<"$out")" 7

# broken DESCRIPTION PATTERN COMMAND...: the command breaks a copy, from its prefix
broken() {
	local what=$1 pattern=$2
	shift 2
	rm -rf "$scratch/copy"
	cp -a "$scratch/good/usr" "$scratch/copy"
	(cd "$scratch/copy" && "$@")
	installcheck "$scratch/copy"
	is "broken: $what" "$status" 1
	like "... and named" "$out" "^WRONG +$pattern"
}
# put FILE TEXT: a script in place of a program
put() { rm -f "$1" && printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod 755 "$1"; }
unconfined='[ "$1" != --version ] || { echo "sbx-run '$version'"; exit; }
while [ "$1" != -- ]; do shift; done; shift; exec "$@"'

broken "no sandbox at all" "writing outside fails" put bin/sbx-run "$unconfined"
like "... nor for the network" "$out" "^WRONG +with --network off it fails"
broken "a helper that confines nothing" "writing outside fails" put libexec/sbx/sbx-linux-sandbox \
	'[ "$1" != --version ] || { echo "sbx-linux-sandbox '"$version"'"; exit; }
while [ "$1" != -- ]; do shift; done; shift; exec "$@"'
broken "a stage is missing" "a command runs" rm bin/sbx-wrap
broken "the helper is missing" "libexec/sbx/sbx-linux-sandbox" rm libexec/sbx/sbx-linux-sandbox
broken "exit codes are lost" "exit status 7" put bin/sbx-run "${unconfined/exec/} ; exit 0"
broken "set-user-id" "bin/sbx-run is not set-user-id" chmod u+s bin/sbx-run
broken "no manual" "manual page man7/sbx.7" rm share/man/man7/sbx.7
broken "a completion that is no script" "completion for bash" sh -c 'echo "(" >share/bash-completion/completions/sbx-run'
installcheck "$scratch/good/usr" 9.9.9
is "broken: another version" "$status" 1
installcheck "$scratch/nowhere"
is "broken: nothing there" "$status" 1

# The version stands in one place.
for file in "$SBX"/sbx-*; do
	is "${file##*/} --version" "$("$file" --version)" "${file##*/} $version"
done
like "NEWS begins with it" "$(head -n 1 "$ROOT/NEWS")" "^sbx $version \\([0-9]{4}-[0-9]{2}-[0-9]{2}\\)\$"
is "no page has a version of its own" "$(grep -lF "$version" "$SHARE"/man/*)" ""
finish
