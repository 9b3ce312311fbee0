# shellcheck shell=bash disable=SC2034
# What the tests on other machines share: roots made by debootstrap, kept in
# build/machines, and skips that nobody overlooks.
#
#	SBX_MACHINES=DIR    keep them there instead, for several checkouts

set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=${here%/t/machines}
cache=${SBX_MACHINES:-$root/build/machines}
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
skipped=()
failed=()
# What a first build wants, and what the tests use of a system.
build_packages=make,gcc,musl-tools,libc6-dev,linux-libc-dev,libseccomp-dev,libcap-dev,libjansson-dev,xz-utils
test_packages=bubblewrap,perl,expect,git,jq,procps,util-linux,python3,python3-jsonschema,strace,iproute2,e2fsprogs,curl,kmod

say() { printf '== %s (%s)\n' "$*" "$(date -u +%H:%M:%S)"; }

# skip WHAT WHY: said now, and again at the end
skip() {
	printf '\nSKIPPED: %s: %s\n\n' "$1" "$2" >&2
	skipped+=("$1: $2")
}

broken() {
	printf '\nFAILED: %s\n\n' "$1" >&2
	failed+=("$1")
}

# The last words, and the status.
conclude() {
	local line
	echo
	for line in ${skipped[@]+"${skipped[@]}"}; do echo "SKIPPED: $line"; done
	for line in ${failed[@]+"${failed[@]}"}; do echo "FAILED: $line"; done
	[ ${#failed[@]} = 0 ] || exit 1
	[ ${#skipped[@]} = 0 ] && echo "all passed, nothing was skipped" || echo "the rest passed"
	exit 0
}

# Whatever is missing that makes the whole of it impossible is a skip, too.
need_root() {
	[ "$(id -u)" = 0 ] && return
	skip "all of it" "only root makes other machines: sudo make ${0##*/}"
	conclude
}

# need_program NAME PACKAGE: installed if it is missing
need_program() {
	command -v "$1" >/dev/null && return
	echo "sbx: installing with apt-get: $2"
	# shellcheck disable=SC2086
	if ! { apt-get update -qq -o Acquire::Retries=3 &&
		apt-get install -y -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 --no-install-recommends $2; } >/dev/null; then
		skip "all of it" "$1 is missing, and $2 cannot be installed"
		conclude
	fi
}

# Where this machine gets its own packages, if they are Debian's.
mirror() {
	local uri
	uri=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		sed -n 's/^Debian //p' | grep -v security | head -n 1)
	[ -n "$uri" ] && echo "$uri"
}

# make_root NAME SUITE PACKAGES: $cache/root-NAME, made once for a list of packages
make_root() {
	local dir=$cache/root-$1 want="$2 $3"
	if [ "$(cat "$dir.made" 2>/dev/null)" = "$want" ]; then return 0; fi
	say "a root of Debian's $2 with ${3:0:60}..."
	rm -rf "$dir" "$dir.made"
	mkdir -p "$dir"
	if ! debootstrap --variant=minbase --include="$3" "$2" "$dir" "$(mirror)" >"$dir.log" 2>&1; then
		tail -n 3 "$dir.log" >&2
		rm -rf "$dir"
		return 1
	fi
	rm -rf "$dir"/var/cache/apt/archives/*.deb
	echo "$want" >"$dir.made"
}

# The tree as it is here, without what was built: $1/sbx
copy_source() {
	mkdir -p "$1/sbx/build"
	tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$1/sbx" --no-same-owner -xf -
	cp -a "$root/build/download" "$1/sbx/build/"
}
