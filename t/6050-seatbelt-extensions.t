#!/bin/bash
# permissions.macos: each extension opens what it names and nothing else.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/seatbelt.sh"
anyone

with() { # TABLE: a read-only policy with this table of extensions
	permissions "{fs: [{path: \"/\", access: \"read\"}] ${1:+, macos: $1}}" |
		jq -c '.command.env = {HOME: "/Users/u"}' | wrap
}
closed() { # TITLE: nothing of any extension, but for the lines on stdin
	cat >"$scratch/open"
	while read -r question; do
		if grep -qxF "$question" "$scratch/open"; then echo "allow $question"; else echo "deny $question"; fi
	done >"$scratch/all" <<'END'
user-preference-read none x
user-preference-write none x
mach-lookup name com.apple.cfprefsd.daemon
ipc-posix-shm-read-data name apple.cfprefs.501v1
ipc-posix-shm-write-data name apple.cfprefs.501v1
ipc-posix-shm-read-data name appleXcfprefs.501v1
appleevent-send name com.apple.Notes
appleevent-send name com.apple.mail
mach-lookup name com.apple.coreservices.appleevents
lsopen none x
mach-lookup name com.apple.coreservices.launchservicesd
mach-lookup name com.apple.axserver
mach-lookup name com.apple.CalendarAgent
mach-lookup name com.apple.contactsd.persistence
mach-lookup name com.apple.securityd.xpc
file-write-create file /Users/u/Library/Application Support/AddressBook/x
file-write-create file /private/var/folders/a/b/T/TemporaryItems/x
file-write-create file /Users/u/x
END
	decide "$1" <"$scratch/all"
}
with ''
closed "no table keeps the default" <<'END'
user-preference-read none x
END
with '{}'
closed "an empty table" </dev/null
with '{preferences: "none"}'
closed "preferences none" </dev/null
with '{preferences: "readonly"}'
closed "preferences readonly" <<'END'
user-preference-read none x
mach-lookup name com.apple.cfprefsd.daemon
ipc-posix-shm-read-data name apple.cfprefs.501v1
END
with '{macos_preferences: "readonly"}'
closed "macos_preferences, as codex calls it" <<'END'
user-preference-read none x
mach-lookup name com.apple.cfprefsd.daemon
ipc-posix-shm-read-data name apple.cfprefs.501v1
END
with '{preferences: "readwrite"}'
closed "preferences readwrite" <<'END'
user-preference-read none x
user-preference-write none x
mach-lookup name com.apple.cfprefsd.daemon
ipc-posix-shm-read-data name apple.cfprefs.501v1
ipc-posix-shm-write-data name apple.cfprefs.501v1
END
with '{automation: true}'
closed "automation of all" <<'END'
appleevent-send name com.apple.Notes
appleevent-send name com.apple.mail
mach-lookup name com.apple.coreservices.appleevents
END
with '{automation: ["com.apple.Notes"]}'
closed "automation by bundle id" <<'END'
appleevent-send name com.apple.Notes
mach-lookup name com.apple.coreservices.appleevents
END
for nothing in '{automation: false}' '{automation: []}' '{launch_services: false, accessibility: false, calendar: false, contacts: "none"}'; do
	with "$nothing"
	closed "$nothing" </dev/null
done
with '{launch_services: true}'
closed "launch services" <<'END'
lsopen none x
mach-lookup name com.apple.coreservices.launchservicesd
END
with '{accessibility: true}'
closed "accessibility" <<<'mach-lookup name com.apple.axserver'
with '{calendar: true}'
closed "calendar" <<<'mach-lookup name com.apple.CalendarAgent'
with '{contacts: "read_only"}'
closed "contacts, reading" <<<'mach-lookup name com.apple.contactsd.persistence'
with '{contacts: "read_write"}'
closed "contacts, writing" <<'END'
mach-lookup name com.apple.contactsd.persistence
mach-lookup name com.apple.securityd.xpc
file-write-create file /Users/u/Library/Application Support/AddressBook/x
file-write-create file /private/var/folders/a/b/T/TemporaryItems/x
END

# With restricted reading: the address book and no more; an entry of the policy
# has the last word.
book='/Users/u/Library/Application Support/AddressBook'
permissions '{fs: [{path: "/w", access: "read"}], macos: {contacts: "read_only"}}' |
	jq -c '.command.env = {HOME: "/Users/u"}' | wrap
decide "contacts, restricted" <<END
allow file-read-data file $book/x
deny file-write-data file $book/x
deny file-read-data file /Users/u/Library/x
END
permissions "{fs: [{path: \"/w\", access: \"read\"}, {path: \"$book\", access: \"none\"}], macos: {contacts: \"read_write\"}}" |
	jq -c '.command.env = {HOME: "/Users/u"}' | wrap
decide "contacts, hidden" <<END
deny file-read-data file $book/x
deny file-write-data file $book/x
END
finish
