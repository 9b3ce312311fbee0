#!/bin/bash
# sbx-wrap --platform systemd: a service in which every word is one word again, as
# systemd itself reads it.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
anyone

mkdir "$ws/.git" "$ws/.agents" "$ws/.codex"
prepare() { # [OPTION...] -- COMMAND...
	(cd "$ws" && "$SBX/sbx-policy" -s workspace-write -a never -c sandbox_workspace_write.exclude_slash_tmp=true "$@") |
		"$SBX/sbx-approve" 2>/dev/null | "$SBX/sbx-select" --platform systemd 2>/dev/null >"$scratch/selected"
}
wrap() { # [FILTER] [OPTION...]
	jq -c "${1:-.}" "$scratch/selected" >"$scratch/.filtered"
	run "$SBX/sbx-wrap" --platform systemd "${@:2}" <"$scratch/.filtered"
	field .exec.unit.text >"$scratch/unit"
}
setting() { sed -n "s/^$1=//p" "$scratch/unit"; }

prepare -- sh -c true
wrap . --output "$scratch/out"
is "wrapped" "$status $err" "0 "
is "written" "$(cat "$scratch/out/$(field .exec.unit.name)")" "$(cat "$scratch/unit")"
like "by a name of its own" "$(field .exec.unit.name)" '^sbx-[0-9a-f]{16}\.service$'
is "all is read" "$(setting ProtectSystem)" strict
is "... but the workspace" "$(setting ReadWritePaths)" "\"$ws\""
is "... without its protected names" "$(setting ReadOnlyPaths | grep -c "^\"$ws/\.")" 3
is "no privilege" "$(setting NoNewPrivileges)$(setting CapabilityBoundingSet)" yes
is "a network of its own" "$(setting PrivateNetwork)" yes
is "no way by /proc/PID/root of the user's other processes" "$(setting PrivateUsers)" yes
is "/dev/shm is not the machine's" "$(setting TemporaryFileSystem)" "/dev/shm:rw,nosuid,nodev,mode=1777"
is "a user who is not root is named" "$(setting User)" "$([ "$(id -u)" = 0 ] || id -u)"
is "mount is refused" "$(setting SystemCallFilter | grep -x '~mount:1')" '~mount:1'
is "clone3 is not there" "$(setting SystemCallFilter | grep -x '~clone3:38')" '~clone3:38'

prepare --limit memory=1G,processes=50,cpu=1.5,files=2M -- sh -c true
wrap
is "limits are settings" "$status $(setting TasksMax) $(setting MemoryMax) $(setting CPUQuota) $(setting LimitFSIZE)" "0 50 1073741824 150% 2097152"
prepare --limit tmp=1M -- sh -c true
wrap
like "... but that of /tmp, which needs consent" "$status $err" "^4 .*limits"

# What systemd would read as its own: specifiers, variables, quotes, separators, lines.
odd=('%h %n %%' '$HOME ${HOME} $$' 'a"b\c'\''d' ';' '' '-x' $'a\nExecStartPre=/bin/touch /x\nb' $'\ttab' '# no comment' '\x41' '{a,b}' '~' '@' '+')
prepare -- printf '%s' "${odd[@]}"
wrap '.command.env = {PATH: "/usr/bin:/bin", A: "%h $B \"q\" \\x41 \n[Install]\nAlias=x", EMPTY: ""}'
is "one line for the command" "$(grep -c '^Exec' "$scratch/unit") $(grep -c '^Alias\|^\[Install' "$scratch/unit")" "1 0"
ok "a line of systemd is in ASCII here" bash -c '! LC_ALL=C grep -q "[^ -~]" "$1"' - "$scratch/unit"
python3 - "$scratch/unit" >"$scratch/words" <<'END'
import re, sys
# An answer of its own: quotes, C escapes and %% as systemd.syntax(7) has them.
for line in open(sys.argv[1]):
    name, _, rest = line.rstrip("\n").partition("=")
    if name not in ("ExecStart", "Environment"):
        continue
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*', rest), rest
    for word in re.findall(r'"((?:[^"\\]|\\.)*)"', rest):
        word = re.sub(r'\\x(..)|\\(.)', lambda m: chr(int(m[1], 16)) if m[1] else m[2], word)
        assert not re.search(r'%(?!%)', word.replace("%%", "")), word
        print(repr(word.replace("%%", "%")))
END
want() { python3 -c 'import sys; [print(repr(w)) for w in sys.argv[1:]]' "$@"; }
is "every word is itself again" "$(sed -n '/^.@:/,$p' "$scratch/words")" "$(want "@:$(PATH=/usr/bin:/bin command -v -p printf | sed 's/^printf$/\/usr\/bin\/printf/')" printf %s "${odd[@]}")"
is "... every variable" "$(grep "^'A=" "$scratch/words")" "$(want $'A=%h $B "q" \\x41 \n[Install]\nAlias=x')"
wrap '.command.env = {PATH: "/nothing"}'
is "a program that nobody finds" "$status $(field .error.code)" "3 not-found"
prepare --timeout 1.5 -- true
wrap
is "a time limit" "$(setting RuntimeMaxSec)" 1500ms

# Paths: no form, no unit.
for name in 'a"b' 'a\b' "a'b" $'a\nb' $'a\tb' 'end '; do
	mkdir -p "$ws/$name"
	wrap ".policy.permissions.fs += [{path: $(jq -cn --arg p "$ws/$name" '$p'), access: \"none\"}]"
	is "a path that a unit has no form for: ${name@Q}" "$status $(field '.error.code, .exec' | xargs)" "4 engine null"
done
mkdir -p "$ws/100% a b:c"
wrap ".policy.permissions.fs += [{path: \"$ws/100% a b:c\", access: \"none\"}]"
is "blanks, colons and percent signs have one" "$(setting InaccessiblePaths)" "\"$ws/100%% a b:c\""
mkdir -p "$ws/100% a b:c/open"
wrap ".policy.permissions.fs += [{path: \"$ws/100% a b:c\", access: \"none\"}, {path: \"$ws/100% a b:c/open\", access: \"read\"}]"
is "what is reopened in it cannot be shown" "$status $(field .exec)" "4 null"
wrap '.policy.permissions.fs |= map(select(.path != "/"))'
is "all but a list cannot be hidden" "$status $(field .exec)" "4 null"

if have PROGRAM systemd-analyze; then
	verify() { # FILTER [OPTION...] -- COMMAND: what systemd-analyze says
		rm -rf "$scratch/verified"
		wrap "$1" --output "$scratch/verified"
		systemd-analyze verify "$scratch/verified/$(field .exec.unit.name)" 2>&1 |
			grep -v 'arse system call\|^$' | grep "${2:-.}"
	}
	prepare -- printf '%s' "${odd[@]}"
	is "systemd-analyze finds nothing" "$(verify '.command.env = {PATH: "/usr/bin:/bin", A: "%h \n\""}' sbx-)" ""
	wrap . --output "$scratch/broken"
	unit=$scratch/broken/$(field .exec.unit.name)
	sed -i 's/^ReadWritePaths=.*/ReadWritePaths=relative/; s/^Type=.*/Type=wrong/' "$unit"
	like "control: it would find something" "$(systemd-analyze verify "$unit" 2>&1)" "relative|wrong"
else
	skip "systemd-analyze is missing" "verify"
fi
finish
