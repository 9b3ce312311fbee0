#!/bin/bash
# What cannot be enforced is refused: exit 3 and one line that says why.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/seatbelt.sh"
anyone

permissions '{fs: [{path: "ws", access: "write"}]}' | refuses "relative path" 'permissions.fs\[0\].path: "ws": not a normalized absolute path'
permissions '{fs: [{path: "/a/../b", access: "write"}]}' | refuses "dots in a path" 'permissions.fs\[0\].path: '
permissions '{fs: [{path: "/a", access: "rw"}]}' | refuses "unknown access" 'permissions.fs\[0\].access: expected read, write or none'
permissions '{fs: [], network: "yes"}' | refuses "unknown network" 'permissions.network: '
permissions '{fs: [], unix_sockets: ["run/x"]}' | refuses "relative socket" 'permissions.unix_sockets: "run/x": not a normalized absolute path'
permissions '{fs: [], unix_sockets: ["/"]}' | refuses "every socket" 'permissions.unix_sockets: "/": name the socket'
permissions '{}' | refuses "no entries" 'permissions.fs: expected a list'
permissions '{fs: [], deny_globs: "x"}' | refuses "globs that are no list" 'permissions.deny_globs: expected a list'
permissions '{fs: [], deny_globs: ["*.env"]}' | refuses "relative glob" 'deny_globs: "\*.env": not an absolute path'
permissions '{fs: [], deny_globs: ["/w/../*.env"]}' | refuses "dots in a glob" 'deny_globs: .*do not belong'
permissions '{fs: [], deny_globs: ["/"]}' | refuses "a glob of nothing" 'deny_globs: "/": names everything'
permissions '{fs: [], deny_globs: ["/w/[[:alpha:]]"]}' | refuses "a named class" 'deny_globs: .*named classes'
permissions '{fs: [], deny_globs: ["/w/[é]"]}' | refuses "a class of other characters" 'deny_globs: .*printable ASCII'
permissions '{fs: [], deny_globs: ["/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"]}' | refuses "too many alternatives" 'deny_globs: more than 256'
permissions "$(jq -cn '{fs: [], deny_globs: ["/" + "{a}" * 5000]}')" | refuses "a pattern without end" 'deny_globs: a pattern of'
permissions '{fs: [], platform_defaults: "yes"}' | refuses "a flag that is none" 'permissions.platform_defaults: expected true or false'

# ---- links --------------------------------------------------------------------------
mkdir "$ws/real" "$ws/real/deep"
ln -s real "$ws/link"
ln -s "$outside" "$ws/out"
for path in link link/deep out; do
	permissions "{fs: [{path: \"$ws/$path\", access: \"write\"}]}" |
		refuses "symlinked root $path" "writable root \"$ws/$path\": \"$ws/${path%%/*}\" is a symbolic link"
done
permissions "{fs: [{path: \"$ws/link\", access: \"read\"}, {path: \"$ws/real/deep\", access: \"write\"}]}" | wrap
is "a link that is only read is no root" "$status" 0
permissions "{fs: [{path: \"$ws/real/missing\", access: \"write\"}]}" | wrap
is "what is not there is no link" "$status" 0

# ---- extensions ------------------------------------------------------------------------
bad() { permissions "{fs: [], macos: $2}" | refuses "$1" "$3"; }
bad "unknown key" '{camera: true}' 'permissions.macos.camera: not known \(preferences, automation'
bad "no table" '[]' 'permissions.macos: expected a table'
bad "bad bundle id" '{automation: ["Notes"]}' 'permissions.macos.automation: "Notes": not a bundle id'
bad "short bundle id" '{automation: ["a."]}' 'permissions.macos.automation: "a.": not a bundle id'
bad "bundle id of another type" '{automation: [1]}' 'permissions.macos.automation'
bad "automation of another type" '{automation: "some"}' 'permissions.macos.automation: expected true, false or a list'
bad "unknown word" '{preferences: "yes"}' 'permissions.macos.preferences: "yes": expected none, readonly or readwrite'
bad "unknown grade" '{contacts: "all"}' 'permissions.macos.contacts: "all": expected none, read_only or read_write'
bad "flag of another type" '{calendar: "yes"}' 'permissions.macos.calendar: expected true or false'
permissions '{fs: [], macos: {contacts: "read_only"}}' | jq -c '.command.env = {}' | refuses "contacts without a home" 'permissions.macos.contacts: HOME'
finish
