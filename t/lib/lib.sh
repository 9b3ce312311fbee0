# shellcheck shell=bash disable=SC2034,SC2119,SC2120
# The test library: TAP, a scratch directory, prerequisites, and proof from
# outside the sandbox with a control.
#
#	. "${0%/*}/lib/lib.sh"
#	need USERNS
#	run_sbx -s read-only -a never -- true
#	is "exit code" "$status" 0
#	finish
#
# What a test finds:
#	$SBX      directory of the binaries under test
#	$HELPER   the programs of t/helper; $TRY, the one that tries one system call
#	$TESTS    the directory of the tests; $SHARE the data of the suite
#	$scratch  private, outside every default writable root; removed at exit
#	$ws       $scratch/ws, a workspace; $outside  $scratch/outside, not in it
# A test may run from any directory, as root or as an ordinary user.

set -u
umask 022

TESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
ROOT=${TESTS%/*}
BUILD=${SBX_BUILD:-$ROOT/build}
SBX=$BUILD/bin
HELPER=$BUILD/t/helper
TRY=$HELPER/try
SHARE=$ROOT/share

# Nothing of the caller's own sessions or settings may reach what is tested.
for name in $(compgen -e); do
	case $name in
	SBX_* | CODEX_* | GIT_*) unset "$name" ;;
	esac
done
unset name TMPDIR
export LC_ALL=C.UTF-8
exec </dev/null

# /tmp is a writable root of workspace-write; only what lies elsewhere can
# prove that a write was refused.
scratch=$(mktemp -d /var/tmp/sbx-t.XXXXXX) || {
	echo "Bail out! cannot make a scratch directory in /var/tmp"
	exit 1
}
scratch=$(cd "$scratch" && pwd -P)
ws=$scratch/ws
outside=$scratch/outside
mkdir "$ws" "$outside"

# T_DOCKER=1: every program of ours runs as in a container of Docker's kind.
if [ -n "${T_DOCKER-}" ]; then
	mkdir "$scratch/docker"
	for name in "$SBX"/*; do
		# One container: a session in it has no fewer filters than who comes to it.
		printf '#!/bin/sh\n[ -z "${T_IN_DOCKER-}" ] || exec %q "$@"\nT_IN_DOCKER=1 exec %q docker %q "$@"\n' \
			"$name" "$TRY" "$name" >"$scratch/docker/${name##*/}"
	done
	chmod +x "$scratch"/docker/*
	SBX=$scratch/docker
fi
tmpdirs=()
kills=()
count=0
failed=0
finished=
status=
out=
err=
ran=

# ---- scratch and processes -------------------------------------------------

# A second scratch directory, in /tmp: $tmp
in_tmp() {
	tmp=$(mktemp -d /tmp/sbx-t.XXXXXX) || exit 1
	tmpdirs+=("$tmp")
}

# Processes to end when the test ends.
kill_later() { kills+=("$@"); }

# With what the user closed to himself.
remove() {
	rm -rf --one-file-system -- "$1" 2>/dev/null && return
	find "$1" -xdev -type d ! -perm -700 -exec chmod u+rwx {} \; 2>/dev/null
	rm -rf --one-file-system -- "$1"
}

at_exit() {
	local code=$? pid dir
	trap - EXIT
	for pid in ${kills[@]+"${kills[@]}"}; do
		# The shell would print that it was killed.
		{ kill -KILL "$pid" && wait "$pid"; } 2>/dev/null
	done
	cd /
	# What the sandbox had for /tmp in a workspace of ours.
	find /tmp/.sbx-"$EUID"* -maxdepth 2 -name workspace \
		\( -lname "$scratch/*" -o -lname "${tmp:-$scratch}/*" \) 2>/dev/null |
		while read -r dir; do remove "${dir%/*}"; done
	for dir in "$scratch" ${tmpdirs[@]+"${tmpdirs[@]}"}; do
		remove "$dir"
	done
	if [ -z "$finished" ]; then
		echo "# ${0##*/} ended early, after $count assertions" >&2
		[ "$code" != 0 ] || code=1
	fi
	exit "$code"
}
trap at_exit EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# ---- TAP -------------------------------------------------------------------

note() { printf '# %s\n' "${*//$'\n'/$'\n'# }"; }

pass() {
	count=$((count + 1))
	echo "ok $count - $1"
}

# Why a test failed goes to stderr: prove shows no other comments.
why() { note "$@" >&2; }

# fail DESCRIPTION [LINE...]: the lines say what went in and what came out.
fail() {
	count=$((count + 1))
	failed=$((failed + 1))
	echo "not ok $count - $1"
	why "${0##*/} $count - $1"
	shift
	local line
	for line; do why "$line"; done
}

# What `run` did last, for a failure to show.
show_run() {
	[ -n "$ran" ] || return 0
	why "command: $ran"
	why "status:  $status"
	why "stdout:  $(head -c 2000 "$scratch/.out" | tr -d '\000')"
	why "stderr:  $(head -c 2000 "$scratch/.err" | tr -d '\000')"
}

quoted() { printf '%q ' "$@"; }

# is DESCRIPTION GOT WANTED
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got:     $2" "wanted:  $3"
		show_run
	fi
}

isnt() {
	if [ "$2" != "$3" ]; then
		pass "$1"
	else
		fail "$1" "got, and should not: $2"
		show_run
	fi
}

# line_like TEXT EXTENDED-REGEX: one of its lines does, as grep -E sees it.  Tests ask
# this thousands of times: the shell answers, unless the expression is none to it.
line_like() {
	local lines line
	[[ x =~ $2 ]]
	if [ $? = 2 ] || [[ $2 == *$'\n'* ]]; then
		grep -qE -- "$2" <<<"$1"
		return
	fi
	mapfile -t lines <<<"$1"
	for line in "${lines[@]}"; do
		[[ $line =~ $2 ]] && return
	done
	return 1
}

# like DESCRIPTION TEXT EXTENDED-REGEX
like() {
	if line_like "$2" "$3"; then
		pass "$1"
	else
		fail "$1" "got:     $2" "pattern: $3"
		show_run
	fi
}

unlike() {
	if line_like "$2" "$3"; then
		fail "$1" "got:     $2" "must not match: $3"
		show_run
	else
		pass "$1"
	fi
}

# ok DESCRIPTION COMMAND...: the command succeeds
ok() {
	local what=$1
	shift
	if "$@" >"$scratch/.ok" 2>&1; then
		pass "$what"
	else
		fail "$what" "status $? of: $(quoted "$@")" "$(head -c 2000 "$scratch/.ok")"
		show_run
	fi
}

# not_ok DESCRIPTION COMMAND...: the command fails
not_ok() {
	local what=$1
	shift
	if "$@" >"$scratch/.ok" 2>&1; then
		fail "$what" "succeeded: $(quoted "$@")" "$(head -c 2000 "$scratch/.ok")"
		show_run
	else
		pass "$what"
	fi
}

exists() { [ -e "$1" ] || [ -L "$1" ]; }
absent() { ! exists "$1"; }

# skip DESCRIPTION REASON
skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
	note "SKIPPED: $1: $2"
}

skip_all() {
	finished=1
	echo "1..0 # SKIP $1"
	exit 0
}

finish() {
	finished=1
	echo "1..$count"
	[ "$failed" = 0 ] && [ "$count" != 0 ]
	exit
}

# ---- prerequisites, looked at only when asked for ----------------------------

# have SANDBOX | USERNS | MOUNTS | FRESH_PROC | LANDLOCK ABI | NOTIFY | OBSERVER | OVERLAY | ROOT | USER | X86_64 | PROGRAM NAME | RELEASE
# SANDBOX: one for workspace-write, whatever it is made of
# MOUNTS: root makes mounts of its own; in a container it may be unable to
# FRESH_PROC: a /proc of its own can be mounted in a user namespace
# OVERLAY: a kernel that lets a user mount one, and files that it can be made of
# OBSERVER: a kernel on which denials are observed without being asked for it
# RELEASE: a build without sanitizers, which need a dynamic program and calls of their own
have() {
	case $1 in
	SANDBOX) "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- true 2>/dev/null ;;
	USERNS) unshare -U true 2>/dev/null ;;
	# ... of the sandboxes that are tested here, which may be in a container.
	NAMESPACES) have USERNS && [ -z "${T_DOCKER-}" ] ;;
	MOUNTS) have ROOT && unshare --mount true 2>/dev/null ;;
	FRESH_PROC) unshare -Urpf --mount-proc true 2>/dev/null ;;
	LANDLOCK) [ "$("$TRY" landlock-abi)" -ge "${2:-1}" ] 2>/dev/null ;;
	NOTIFY) [ "$("$TRY" notify)" = "notify ok" ] ;;
	OBSERVER) have NOTIFY && printf '6.6\n%s\n' "$(uname -r)" | sort -CV ;;
	OVERLAY) printf '5.11\n%s\n' "$(uname -r)" | sort -CV && [ "$(stat -f -c %T "$scratch")" != overlayfs ] ;;
	ROOT) [ "$EUID" = 0 ] ;;
	USER) [ "$EUID" != 0 ] ;;
	X86_64) [ "$(uname -m)" = x86_64 ] ;;
	RELEASE) ! grep -q __asan_init "$SBX/sbx-run" ;;
	PROGRAM) command -v "$2" >/dev/null ;;
	*)
		echo "Bail out! unknown prerequisite: $1"
		exit 1
		;;
	esac
}

# need PREREQUISITE [VALUE]: the whole test is skipped without it
need() {
	have "$@" || skip_all "this machine or user lacks $*"
}

# quiet, on a line of its own: nothing else of the suite runs meanwhile.  t/run reads
# that line, and takes the lock.  For claims about the machine itself, its /tmp or
# its terminal, and about time; a claim that can wait for what it needs does that.
quiet() { :; }

# slow, on a line of its own: it takes three seconds of processor time or more.  t/run
# starts it before the others, so that none of them is left over at the end.
slow() { :; }

# anyone, on a line of its own: nothing here depends on who runs it.  As root,
# t/run runs it as the ordinary user only, unless LONG is set.
anyone() { :; }

# long USUAL LARGE: how often something is tried; LARGE with LONG=1, which
# "make test-long" sets
long() {
	if [ -n "${LONG-}" ]; then echo "$2"; else echo "$1"; fi
}

# A home directory for a git that commits.
git_home() {
	need PROGRAM git
	export HOME=$scratch/home
	mkdir "$HOME"
	printf '[user]\nname = n\nemail = e\n[init]\ndefaultBranch = main\n' >"$HOME/.gitconfig"
}

# jq, which starts slowly, answers only what t/helper/jq.c does not.
jq() { "$HELPER/jq" "$@"; }

# ---- running -----------------------------------------------------------------

# run COMMAND...: sets $status, $out, $err; bytes in $scratch/.out and .err
run() {
	printf -v ran '%q ' "$@"
	"$@" >"$scratch/.out" 2>"$scratch/.err"
	status=$?
	heed
}

# What was written, as text: without NULs and without newlines at the end, as $(cat FILE)
# would say it, and without a process.
heed() {
	as_text out "$scratch/.out"
	as_text err "$scratch/.err"
}
as_text() { # VARIABLE FILE
	local parts all=
	mapfile -d '' -t parts <"$2"
	[ ${#parts[@]} = 0 ] || printf -v all %s "${parts[@]}"
	while [[ $all == *$'\n' ]]; do all=${all%$'\n'}; done
	printf -v "$1" %s "$all"
}

run_sbx() { run "$SBX/sbx-run" "$@"; }

# A command in the default sandbox of the workspace, nobody to ask.
box=()
set_box() { box=("$SBX/sbx-run" -s workspace-write -a never -C "$ws" "$@" --); }
set_box

boxed() { run "${box[@]}" "$@"; }

# The same command without the sandbox, from the same directory.
unboxed() {
	ran="(no sandbox) $(quoted "$@")"
	(cd "$ws" && "$@") >"$scratch/.out" 2>"$scratch/.err"
	status=$?
	heed
}

# eventually SECONDS COMMAND...: polls until it succeeds
eventually() {
	local left=$(($1 * 150))
	shift
	while ! "$@"; do
		left=$((left - 1))
		[ "$left" -gt 0 ] || return 1
		sleep 0.02
	done
}

# ---- proof from outside ------------------------------------------------------

# shellcheck source=t/lib/proof.sh
. "$TESTS/lib/proof.sh"
