#!/bin/sh
# Installs sbx from this directory: programs, manual pages, completions.
#
#	sh install.sh [--prefix DIR]        ~/.local, or /usr/local as root
#	sh install.sh --uninstall [--prefix DIR]
#
# Nothing outside DIR is touched, no root is needed, and uninstalling removes
# what was installed and the directories that were made for it.
set -eu
umask 022

here=$(cd "$(dirname "$0")" && pwd)
uninstall=
prefix=
while [ $# -gt 0 ]; do
	case $1 in
	--prefix)
		prefix=${2:?install.sh: --prefix needs a directory}
		shift
		;;
	--prefix=*) prefix=${1#--prefix=} ;;
	--uninstall) uninstall=1 ;;
	-h | --help)
		sed -n 's/^#	//p' "$0"
		exit 0
		;;
	*)
		echo "install.sh: $1: unknown option (try --help)" >&2
		exit 2
		;;
	esac
	shift
done
if [ -z "$prefix" ]; then
	if [ "$(id -u)" = 0 ]; then
		prefix=/usr/local
	else
		prefix=${HOME:?install.sh: HOME is not set; use --prefix DIR}/.local
	fi
fi
case $prefix in
/*) ;;
*) prefix=$(pwd)/$prefix ;;
esac
# What was installed, one path a line below $prefix; directories end with a slash.
list=$prefix/share/sbx/installed

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

remove() {
	[ -f "$list" ] || fail "$prefix: sbx was not installed there by this script"
	kept=$(mktemp)
	cp "$list" "$kept"
	count=0
	while IFS= read -r path; do
		case $path in
		*/ | /* | *..*) continue ;;
		esac
		rm -f "$prefix/$path"
		count=$((count + 1))
	done <"$kept"
	rm -f "$list"
	# Copies of caches that runs have kept; a copy of a closed directory is closed.
	if [ -d "$prefix/state/sbx" ] && [ ! -L "$prefix/state/sbx" ]; then
		chmod -R u+rwx "$prefix/state/sbx" 2>/dev/null || true
		rm -rf "$prefix/state/sbx"
		rmdir "$prefix/state" 2>/dev/null || true
	fi
	# The deepest first; what somebody else uses meanwhile stays.
	sed -n 's|/$||p' "$kept" | sort -r | while IFS= read -r path; do
		rmdir "$prefix/$path" 2>/dev/null || true
	done
	if grep -qx '/' "$kept"; then rmdir "$prefix" 2>/dev/null || true; fi
	rm -f "$kept"
	echo "$count files of sbx were removed from $prefix"
}

# make_directory PATH: it and those above it that are missing, each noted
make_directory() {
	[ ! -d "$prefix/$1" ] || return 0
	case $1 in
	*/*) make_directory "${1%/*}" ;;
	esac
	mkdir "$prefix/$1"
	echo "$1/" >>"$made"
}

if [ -n "$uninstall" ]; then
	remove
	exit 0
fi

cd "$here"
case $(uname -m) in
"$(cat share/sbx/machine)") ;;
*) fail "these programs are for $(cat share/sbx/machine), and this machine is $(uname -m)" ;;
esac
if command -v sha256sum >/dev/null; then
	sha256sum -c SHA256SUMS >/dev/null || fail "a file is not as it was released; nothing was installed"
fi
[ ! -f "$list" ] || remove >/dev/null

made=$(mktemp)
trap 'rm -f "$made"' EXIT
if [ ! -d "$prefix" ]; then
	mkdir -p "$prefix"
	echo / >>"$made"
fi
sed 's/^[^ ]* [ *]//' SHA256SUMS | {
	while IFS= read -r path; do
		case $path in
		bin/* | libexec/* | share/*) ;;
		*) continue ;;
		esac
		make_directory "${path%/*}"
		# A program that runs right now keeps its file.
		rm -f "$prefix/$path"
		cp "$path" "$prefix/$path"
		echo "$path" >>"$made"
	done
}
sed "s|@PREFIX@|$prefix|" share/sbx/apparmor/sbx >"$prefix/share/sbx/apparmor/sbx"
cp "$made" "$list"

echo "sbx $(cat share/sbx/version) was installed in $prefix:"
echo "  programs      $prefix/bin ($(cd bin && echo *))"
echo "  helpers       $prefix/libexec/sbx"
echo "  manual pages  $prefix/share/man (man sbx)"
echo "  completions   for bash, zsh and fish in $prefix/share"
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "Put it on your path:   export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
echo "What works here:       $prefix/bin/sbx-select --probe"
echo "Remove it again:       sh $prefix/share/sbx/install.sh --uninstall --prefix $prefix"
