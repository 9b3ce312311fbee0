#!/bin/bash
# "make" alone installs nothing: it names what is missing and the command that
# installs it.  "make packages" installs just that.
. "${0%/*}/lib/lib.sh"
need PROGRAM make
need PROGRAM gcc

# A machine without the packages: a header that cannot be used, a package
# database that knows none, and installers that only write down what they do.
fake=$scratch/fake
mkdir -p "$fake" "$scratch/hidden"
echo '#error "hidden by the test"' >"$scratch/hidden/jansson.h"
printf '#!/bin/sh\nexec %s -I"%s" "$@"\n' "$(command -v gcc)" "$scratch/hidden" >"$fake/cc"
printf '#!/bin/sh\nexit 1\n' >"$fake/dpkg-query"
for name in apt-get sudo; do
	printf '#!/bin/sh\necho "%s $*" >>"%s"\n' "$name" "$scratch/calls" >"$fake/$name"
done
chmod +x "$fake"/*
: >"$scratch/calls"
make_here() { run env PATH="$fake:$PATH" make -C "$ROOT" BUILD="$scratch/build" "$@"; }

make_here CC=gcc "$scratch/build/packages.ok"
is "control: with the headers the check passes" "$status" 0
rm -rf "$scratch/build"

make_here CC="$fake/cc" "$scratch/build/packages.ok"
isnt "a missing header stops the build" "$status" 0
like "the package is named" "$err" 'missing:.* libjansson-dev'
like "and the command that installs it" "$err" 'apt-get install .*libjansson-dev'
is "nothing was installed" "$(cat "$scratch/calls")" ""

make_here packages WHAT=build
like "make packages installs what is missing" "$(cat "$scratch/calls")" 'install .*libjansson-dev'
unlike "and not what only tests need" "$(cat "$scratch/calls")" 'expect'
like "saying so" "$out" 'installing.*libjansson-dev'
: >"$scratch/calls"
make_here packages WHAT=test
like "the tests' own packages are installed for the tests" "$(cat "$scratch/calls")" 'install .*jq'

# An ordinary user without sudo, or one whose password nobody is there to ask for.
: >"$scratch/calls"
printf '#!/bin/sh\n[ "$1" != -u ] || echo 1000\n' >"$fake/id"
printf '#!/bin/sh\n[ "$1" != -n ] || exit 1\necho "sudo $*" >>"%s"\n' "$scratch/calls" >"$fake/sudo"
chmod +x "$fake/id"
make_here demo
isnt "without an administrator nothing is built" "$status" 0
like "what to ask for is named" "$err" 'an administrator installs them: apt-get install .*libjansson-dev'
like "... and what needs no packages" "$err" 'sbx-[0-9.]+-linux-[a-z0-9_]+.tar.xz needs no packages and no root'
ok "... in a few lines" test "$(grep -c ^sbx: <<<"$err")" -lt 6
is "... and nothing was tried" "$(cat "$scratch/calls")" ""
rm "$fake/id"

printf '#!/bin/sh\necho installed\n' >"$fake/dpkg-query"
: >"$scratch/calls"
make_here packages WHAT=all
is "nothing is installed when nothing is missing" "$status:$(cat "$scratch/calls")" "0:"
finish
