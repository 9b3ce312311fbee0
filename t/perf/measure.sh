# shellcheck shell=bash disable=SC2034
# What the benchmarks share: a scratch directory, and figures.
#
#	$build     where the programs are
#	$root      the source tree
#	$scratch   removed at exit; $HOME is in it
#	row        adds a figure to what t/perf/plot draws

set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=${here%/t/perf}
build=${SBX_BUILD:-$root/build}
rows=${SBX_BENCH_ROWS:-/dev/null}

# Nothing of the caller's settings is part of what is measured.
for name in $(compgen -e); do
	case $name in SBX_* | CODEX_*) unset "$name" ;; esac
done
unset name TMPDIR
for tool in valgrind python3 jq; do
	command -v "$tool" >/dev/null || {
		echo "$tool is missing (make packages WHAT=bench)" >&2
		exit 1
	}
done
scratch=$(mktemp -d /var/tmp/sbx-perf.XXXXXX)
trap 'cd /; rm -rf "$scratch"' EXIT
export HOME=$scratch/home PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mkdir "$HOME"

# row BENCHMARK SERIES X VALUE UNIT; "-" for X where there is none
row() { (IFS=$'\t' && echo "$*") >>"$rows"; }

# instructions COMMAND...: executed by it alone, not by what it starts, and
# the same whatever else the machine does.
instructions() {
	local figure
	figure=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
		sed -n 's/.*Collected : \([0-9]*\).*/\1/p')
	[ -n "$figure" ] || {
		echo "not counted: $*" >&2
		return 1
	}
	echo "$figure"
}
