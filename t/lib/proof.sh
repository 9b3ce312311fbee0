# shellcheck shell=bash disable=SC2154,SC2034
# What a command did is seen from outside, and each claim has a control without the sandbox.

# Everything that an attacker could have changed below a path, as text.
state() { "$HELPER/state" "$@"; }

save() {
	! exists "$scratch/.saved" || remove "$scratch/.saved"
	! exists "$1" || cp -a -- "$1" "$scratch/.saved"
}

restore() {
	! exists "$1" || remove "$1"
	! exists "$scratch/.saved" || cp -a -- "$scratch/.saved" "$1"
}

# effect_control DESCRIPTION PATH COMMAND...: without the sandbox the command
# changes PATH; the change is then undone.
effect_control() {
	local what=$1 path=$2 before
	shift 2
	before=$(state "$path")
	save "$path"
	unboxed "$@"
	if [ "$(state "$path")" = "$before" ]; then
		fail "control: $what" "no effect without the sandbox on: $path"
		show_run
	else
		pass "control: $what"
	fi
	restore "$path"
}

# denied DESCRIPTION PATH -- COMMAND...: the command changes PATH without the
# sandbox, and does not with it.  ${box[@]} is the sandbox.
denied() {
	local what=$1 path=$2 before after
	shift 3
	effect_control "$what" "$path" "$@"
	before=$(state "$path")
	boxed "$@"
	after=$(state "$path")
	is "denied: $what" "$after" "$before"
	# One escape must not make the claims after it look broken as well.
	[ "$after" = "$before" ] || restore "$path"
}

# allowed DESCRIPTION PATH -- COMMAND...: the effect appears in the sandbox too
allowed() {
	local what=$1 path=$2 before
	shift 3
	effect_control "$what" "$path" "$@"
	before=$(state "$path")
	boxed "$@"
	isnt "allowed: $what" "$(state "$path")" "$before"
	restore "$path"
}

# Mounts that this user cannot reach, as those of containers that run: they stay as
# they are in every sandbox of his.
unreached_mounts() {
	awk '{ print $5 }' /proc/self/mountinfo | LC_ALL=C xargs -d '\n' stat 2>&1 >/dev/null |
		sed -n "s/.*'\(.*\)': Permission denied\$/\1/p"
}

# ---- somebody outside to reach -------------------------------------------------

# listen KIND:ADDRESS...: addresses in ${listening[@]}, arrivals in $scratch/heard
listen() {
	: >"$scratch/heard"
	: >"$scratch/listening"
	"$TESTS/helper/listen" "$scratch/heard" "$@" "unix-dgram:$scratch/mark" \
		>"$scratch/listening" 2>"$scratch/listen.err" &
	kill_later $!
	disown
	eventually 10 grep -qx ready "$scratch/listening" || {
		fail "control: somebody listens" "$(cat "$scratch/listen.err")"
		return 1
	}
	mapfile -t listening < <(grep -vx ready "$scratch/listening")
}

# Arrivals since the last `deaf`.  What came before two marks of our own has
# been written down when the second one has: no arrival is missed, and no time
# is lost by waiting for none.
heard() {
	local marks
	for marks in 1 2; do
		"$TRY" unix-send sendto socket dgram "$scratch/mark" >/dev/null
		eventually 10 marked "$marks"
	done
	grep -v '^unix-dgram mark' "$scratch/heard" | sort -u
}
marked() { # COUNT: so many marks are in what was heard
	local lines marks=0 line
	mapfile -t lines <"$scratch/heard"
	for line in "${lines[@]}"; do [[ $line != "unix-dgram mark"* ]] || marks=$((marks + 1)); done
	[ "$marks" -ge "$1" ]
}
deaf() { : >"$scratch/heard"; }

# unheard DESCRIPTION COMMAND...: what the command says arrives without the
# sandbox, and does not with it
unheard() {
	local what=$1
	shift
	deaf
	unboxed "$@"
	if [ -n "$(heard)" ]; then
		pass "control: $what"
	else
		fail "control: $what" "nothing arrived without the sandbox"
		show_run
	fi
	deaf
	boxed "$@"
	is "unheard: $what" "$(heard)" ""
}

# A place where a call may succeed and do no harm: mounts and session keys of
# its own, and for an ordinary user the capabilities of a user namespace.
aside() {
	local mounts=(unshare --mount --propagation private)
	have ROOT || mounts=(unshare --map-root-user --mount --propagation private)
	"${mounts[@]}" "$TRY" keyring "$@"
}

# refused DESCRIPTION CALL ARG...: t/helper/try makes the call and gets an error.  The
# control is the same call without the sandbox; where this user may not make
# it anyway the claim still stands, and that is said.
refused() {
	local what=$1
	shift
	unboxed aside "$TRY" "$@"
	case $out in
	*" ok") ;;
	*) note "no control for this user: $what: $out$err" ;;
	esac
	# If the sandbox failed to hold, root would do this to the machine: the
	# sandbox starts in mounts that are thrown away.  A root that cannot make any
	# is a container's, which is thrown away itself.
	: "${mounts_work=$(have MOUNTS && echo 1)}"
	if [ -n "$mounts_work" ]; then
		run unshare --mount --propagation private "${box[@]}" "$TRY" "$@"
	else
		boxed "$TRY" "$@"
	fi
	like "refused: $what" "${out##*$'\n'}" "^$1 (E[A-Z0-9]+|SIGSYS|SIGSEGV)$"
}

# usable DESCRIPTION CALL ARG...: the call works inside
usable() {
	local what=$1
	shift
	boxed "$TRY" "$@"
	is "usable: $what" "${out##*$'\n'}" "$1 ok"
}

# A process whose command line carries this word is still there; ours, since the same test
# may run as somebody else at the same time.
running() {
	local line
	grep -laF -f <(printf '%s' "$1") /proc/[0-9]*/cmdline 2>/dev/null |
		while IFS= read -r line; do
			grep -Eqs "^Uid:[[:space:]]${EUID}[[:space:]]" "${line%cmdline}status" && echo found
		done | grep -q found
}
not_running() { ! running "$1"; }
