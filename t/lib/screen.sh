# shellcheck shell=bash disable=SC2034,SC2154
# What a person sees and types: a command at a pseudo-terminal of some width.

# at_screen COLUMNS KEYS COMMAND...: types each key when the next question waits for
# one; what waits ends with $asks.  Sets $status, $rows (as they stand on the screen)
# and, where a claim fails, what ran.
asks='abort |back '
at_screen() {
	local columns=$1 keys=$2
	shift 2
	ran="at $columns columns, keys \"$keys\": $*"
	rows=$("$HELPER/screen" "$columns" "$columns" "$keys" "$asks" -- "$@" 2>"$scratch/.err")
	status=$?
	printf '%s\n' "$rows" >"$scratch/.out"
	# Its question was never recognised, or never came.
	[ $status != 99 ] || fail "the screen waits for its end" "$ran"
}

# One text again of what was folded: marks and indents are ours.
unfolded() { sed -z 's/ *\n *| / /g; s/\n/ /g' <<<"$rows"; }
