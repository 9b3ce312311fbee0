#!/bin/bash
# What a profile must decide, case by case.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/seatbelt.sh"
anyone

# ---- workspace-write, as sbx-policy makes it ---------------------------------------
doc '.policy.permissions.fs = [
	{path: "/", access: "read"},
	{path: "/Users/u/ws", access: "write"},
	{path: "/Users/u/ws/.git", access: "read"},
	{path: "/Users/u/ws/.codex", access: "read"},
	{path: "/Users/u/ws/.agents", access: "read"},
	{path: "/Users/u/ws/vendor/lib/.git", access: "read"},
	{path: "/tmp", access: "write"},
	{path: "/var/folders/x/T", access: "write"}]' | wrap
decide "workspace-write" <<'END'
allow file-read-data file /Users/u/.ssh/id
allow process-exec file /bin/ls
allow file-write-create file /Users/u/ws/new
allow file-write-data file /Users/u/ws/a b/c
deny file-write-create file /Users/u/other
deny file-write-create file /Users/u/wsx
deny file-write-create directory /Users/u/ws/.git
deny file-write-create file /Users/u/ws/.git/hooks/pre-commit
deny file-write-data file /Users/u/ws/.git/config
deny file-write-create directory /Users/u/ws/.codex
deny file-write-create file /Users/u/ws/.codex/config.toml
deny file-write-create directory /Users/u/ws/.agents
deny file-write-unlink directory /Users/u/ws/.git
allow file-read-data file /Users/u/ws/.git/config
allow file-write-create file /Users/u/ws/.gitignore
allow file-write-create file /Users/u/ws/.codexx
deny file-write-create directory /Users/u/ws/.GIT
deny file-write-create file /Users/u/ws/.Git/config
deny file-write-create directory /Users/u/ws/.CODEX
deny file-write-create directory /Users/u/ws/.aGENTS
allow file-write-create directory /Users/u/ws/sub/.CODEX
deny file-write-create file /Users/u/ws/sub/deep/.git/config
deny file-write-create directory /Users/u/ws/sub/deep/.git
deny file-write-data file /Users/u/ws/vendor/lib/.git/config
deny file-write-unlink directory /Users/u/ws
deny file-write-unlink directory /Users/u/ws/vendor
deny file-write-unlink directory /Users/u/ws/vendor/lib
deny file-write-create directory /Users/u/ws/vendor
allow file-write-unlink directory /Users/u/ws/vendor/other
allow file-write-unlink file /Users/u/ws/file
allow file-write-create file /private/tmp/x
deny file-write-create file /tmp/x
deny file-write-unlink directory /private/tmp
allow file-write-create file /private/var/folders/x/T/y
deny file-write-create file /private/var/folders/x/C/y
deny file-write-unlink directory /private/var/folders/x/T
allow file-write-data device /dev/null
deny file-write-data file /dev/null
deny file-write-create file /dev/x
deny file-link file /Users/u/ws/hard
deny file-clone file /Users/u/ws/copy
deny network-outbound ip example.org:443
deny network-outbound ip localhost:80
deny network-outbound unix /private/var/run/docker.sock
deny network-bind ip localhost:80
deny mach-lookup name com.apple.SecurityServer
allow mach-lookup name com.apple.system.opendirectoryd.libinfo
allow sysctl-read name hw.ncpu
deny sysctl-read name kern.proc.all
allow sysctl-read name kern.proc.pid.42
deny sysctl-write name kern.hostname
allow ipc-posix-sem name /mp-1
deny iokit-open name IOSurfaceRootUserClient
END

# ---- a workspace below another writable root -----------------------------------------
permissions '{fs: [{path: "/", access: "read"}, {path: "/private/tmp", access: "write"},
	{path: "/private/tmp/x/ws", access: "write"}, {path: "/private/tmp/x/ws/.git", access: "read"}]}' | wrap
decide "root in a root" <<'END'
allow file-write-create file /private/tmp/x/ws/a
deny file-write-unlink directory /private/tmp/x
deny file-write-unlink directory /private/tmp/x/ws
deny file-write-create file /private/tmp/x/ws/.git/config
allow file-write-unlink directory /private/tmp/y
allow file-write-create directory /private/tmp/y/.git
END

# ---- reopened, hidden, reopened again ----------------------------------------------------
permissions '{fs: [{path: "/", access: "read"}, {path: "/w", access: "write"},
	{path: "/w/.git", access: "read"}, {path: "/w/.git/hooks", access: "write"},
	{path: "/w/secret", access: "none"}, {path: "/w/secret/public", access: "read"},
	{path: "/w/secret/drop", access: "write"}]}' | wrap
decide "entries in entries" <<'END'
deny file-write-create file /w/.git/config
allow file-write-create file /w/.git/hooks/pre-commit
deny file-write-create directory /w/.git/hooksx
deny file-write-unlink directory /w/.git/hooks
deny file-read-data file /w/secret
deny file-read-metadata file /w/secret/x
deny file-read-xattr file /w/secret/x
deny file-test-existence file /w/secret/x
deny process-exec file /w/secret/x
deny file-map-executable file /w/secret/x
deny file-write-create file /w/secret/x
deny file-write-unlink directory /w/secret
allow file-read-metadata directory /w/secret
allow file-read-data file /w/secret/public/x
deny file-write-data file /w/secret/public/x
allow file-write-create file /w/secret/drop/x
allow file-read-data file /w/secret/drop/x
allow file-read-data file /w/secretx
END

# ---- restricted reading --------------------------------------------------------------------
restricted='{fs: [{path: "/Users/u/ws", access: "read"}, {path: "/Users/u/ws/out", access: "write"},
	{path: "/usr/local/private", access: "none"}]'
permissions "$restricted}" | wrap
decide "restricted reading" <<'END'
allow file-read-data file /Users/u/ws/a
allow process-exec file /Users/u/ws/bin/tool
deny file-read-data file /Users/u/.ssh/id
deny file-read-data directory /
deny file-read-data directory /Users
allow file-read-metadata directory /
allow file-read-metadata directory /Users
allow file-read-metadata directory /Users/u
deny file-read-metadata file /Users/u/other
deny file-read-data file /bin/ls
deny process-exec file /bin/ls
deny file-read-data file /private/etc/passwd
allow file-write-create file /Users/u/ws/out/x
deny user-preference-read none x
END
permissions "$restricted, platform_defaults: true}" | wrap
decide "with platform defaults" <<'END'
allow process-exec file /bin/ls
allow file-map-executable file /usr/lib/dyld
allow file-read-data file /System/Library/Frameworks/x
allow file-read-data file /Applications/X.app/Contents/x
allow file-read-data file /private/etc/hosts
deny file-read-data file /private/etc/master.passwd
deny file-read-data file /Users/u/.ssh/id
deny file-read-data file /Library/Keychains/x
deny file-read-data file /usr/local/private/x
allow file-read-data file /usr/local/x
deny file-write-create file /usr/local/x
allow file-read-data device /dev/urandom
END
permissions '{fs: []}' | wrap
decide "nothing at all" <<'END'
deny file-read-data file /
deny file-read-data file /x
deny file-write-create file /x
deny process-exec file /bin/ls
END

# ---- everything -------------------------------------------------------------------------------
permissions '{fs: [{path: "/", access: "write"}]}' | wrap
decide "everything" <<'END'
allow file-write-create file /x/.git
allow file-write-unlink directory /x
allow file-link file /x
allow file-read-data file /x
deny network-outbound ip example.org:443
END
permissions '{fs: [{path: "/", access: "write"}, {path: "/etc", access: "read"}]}' | wrap
decide "everything but" <<'END'
allow file-write-create file /x
deny file-write-create file /private/etc/x
deny file-write-unlink directory /private/etc
deny file-write-unlink directory /private
END

# ---- the network ---------------------------------------------------------------------------------
permissions '{fs: [], network: "loopback", unix_sockets: ["/var/run/docker.sock", "/w/s"]}' | wrap
decide "loopback" <<'END'
allow network-outbound ip localhost:80
allow network-outbound ip 127.0.0.1:80
allow network-bind ip localhost:8080
allow network-inbound ip localhost:8080
deny network-outbound ip example.org:443
deny network-bind ip 0.0.0.0:80
allow network-outbound unix /private/var/run/docker.sock
allow network-bind unix /private/var/run/docker.sock
allow network-outbound unix /w/s/inner
deny network-outbound unix /private/var/run/other.sock
deny network-outbound unix /private/var/run/docker.sock2
deny network-outbound unix /private/var/run/mDNSResponder
allow system-socket name AF_UNIX
END
permissions '{fs: [], network: "on"}' | wrap
decide "the internet" <<'END'
allow network-outbound ip example.org:443
allow network-inbound ip 0.0.0.0:80
allow network-bind ip 0.0.0.0:80
allow network-outbound unix /private/var/run/mDNSResponder
deny network-outbound unix /private/var/run/docker.sock
deny network-outbound unix /Users/u/.ssh/agent
allow mach-lookup name com.apple.SecurityServer
END
for network in '"off"' null; do
	permissions "{fs: [], network: $network}" | wrap
	decide "network $network" <<'END'
deny network-outbound ip localhost:80
deny network-bind ip localhost:80
deny network-outbound unix /x
deny system-socket name AF_UNIX
END
done
finish
