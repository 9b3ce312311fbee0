# shellcheck shell=bash disable=SC2154,SC2120
# What the tests of sbx-policy share: run it, ask its document.

# policy OPTION...: the document of "true" in $ws, in $out
policy() { run "$SBX/sbx-policy" -C "$ws" "$@" -- true; }
policy_ww() { policy -s workspace-write "$@"; }

# ask JQ-FILTER [JQ-OPTION...]: of the last document
ask() {
	local filter=$1
	shift
	jq -rc "$@" "$filter" "$scratch/.out"
}

# The entry for exactly this path: read, write, none, or absent.
entry() { ask '[.policy.permissions.fs[] | select(.path == $p) | .access][0] // "absent"' --arg p "$1"; }

# entry_is PATH WANTED
entry_is() { is "${1#"$scratch/"} is $2" "$(entry "$1")" "$2"; }
