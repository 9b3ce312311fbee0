#!/bin/bash
# Sessions: what is remembered, for how long, who can reach it, and that
# nothing that goes wrong hangs or approves.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
. "$TESTS/lib/approver.sh"
approve=$SBX/sbx-approve
doc '.policy.approval_policy = "untrusted"' >"$scratch/doc"
by() { jq -r '"\(.approval.decision) \(.approval.by)"'; }
session() { run "$approve" --serve --approver "$scratch/approver" "$@"; }
cat >"$scratch/twice" <<END
"$approve" <$scratch/doc 2>/dev/null | $HELPER/jq -r '"\(.approval.decision) \(.approval.by)"'
"$approve" <$scratch/doc 2>/dev/null | $HELPER/jq -r '"\(.approval.decision) \(.approval.by)"'
END

answer '{"decision":"approved_for_session"}'
session -- sh "$scratch/twice"
is "approved for the session is asked once" "$status $(xargs <<<"$out") $(asked)" \
	"0 approved_for_session approver approved_for_session cache 1"
is "the socket is gone with the command" "$(find "$XDG_RUNTIME_DIR" -mindepth 1)" ""
rm "$scratch/asked"
session -- sh "$scratch/twice"
is "the next session knows nothing" "$(asked)" 1
rm "$scratch/asked"
for once in approved denied abort; do
	answer "{\"decision\":\"$once\"}"
	session -- sh "$scratch/twice"
	is "$once is not remembered" "$(xargs <<<"$out") $(asked)" "$once approver $once approver 2"
	rm "$scratch/asked"
done
session -- sh -c 'exit 42'
is "the status of the command" "$status" 42
session -- sh -c 'kill -9 $$'
is "or its signal" "$status" 137
session -- "$scratch/absent"
is "or that it is not there" "$status" 127

# What an approval binds.
answer '{"decision":"approved_for_session"}'
cat >"$scratch/binds" <<END
a() { "$approve" 2>/dev/null | $HELPER/jq -r .approval.by; }
a <$scratch/doc
a <$scratch/doc
$HELPER/jq -c '.command.cwd = "/"' $scratch/doc | a
$HELPER/jq -c '.policy.permissions.network = "on"' $scratch/doc | a
$HELPER/jq -c '.command.escalate = true' $scratch/doc | a
$HELPER/jq -c '.command.env = {X: "1"}' $scratch/doc | a
$HELPER/jq -c '.command.argv = ["make", "test", "x"]' $scratch/doc | a
$HELPER/jq -c '.command.argv = ["make test"]' $scratch/doc | a
a <$scratch/doc
END
session -- sh "$scratch/binds"
is "directory, policy, escalation, environment and words" "$(xargs <<<"$out")" \
	"approver cache approver approver approver approver approver approver cache"
rm "$scratch/asked"

# Outside nothing holds a script that a command in the sandbox has rewritten meanwhile.
mkdir -p "$ws/sub"
outside_again() { # COMMAND... CHANGE: who answers at first, then again, and after the change
	local change=${*: -1} words
	rm -f "$scratch/asked"
	printf '#!/bin/sh\n' | tee "$ws/build.sh" "$ws/sub/run" "$ws/plain" >"$ws/Makefile"
	chmod +x "$ws/build.sh" "$ws/sub/run"
	words=$(printf '"%s",' "${@:1:$#-1}")
	doc ".command.argv = [${words%,}] | .command.cwd = \"$ws\" | $of_doc" >"$scratch/again"
	cat >"$scratch/changing" <<-END
		a() { "$approve" <$scratch/again 2>/dev/null | $HELPER/jq -r .approval.by; }
		a; a; cd $ws; $change; a
	END
	session -- sh "$scratch/changing"
	xargs <<<"$out"
}
of_doc='.command.escalate = true'
is "outside: a script that was changed" "$(outside_again ./build.sh 'echo evil >>build.sh')" "approver cache approver"
is "... replaced" "$(outside_again ./build.sh 'cp -p build.sh b; mv b build.sh')" "approver cache approver"
is "... by a shell" "$(outside_again bash -lc 'cd sub && X=1 ./run' 'echo evil >sub/run')" "approver cache approver"
is "... given to one" "$(outside_again sh -x plain 'echo evil >plain')" "approver cache approver"
is "... behind another program" "$(outside_again env -i nice ./build.sh 'echo evil >build.sh')" "approver cache approver"
is "... or read by make" "$(outside_again make -s test 'echo evil >Makefile')" "approver cache approver"
is "... a new one in front" "$(outside_again make -s test 'echo evil >GNUmakefile')" "approver cache approver"
is "a shell that reads stdin is asked about each time" "$(outside_again sh -s true)" "approver approver approver"
is "control: another file" "$(outside_again ./build.sh 'echo more >plain')" "approver cache cache"
is "control: a command that only names it" "$(outside_again cp plain p 'echo more >plain')" "approver cache cache"
answer '{"decision":"approved_for_session","grant":{"sandbox":"none"}}'
of_doc='.policy.approval_policy = "untrusted"'
is "... and when outside was the approver's idea" "$(outside_again ./build.sh 'echo evil >>build.sh')" \
	"approver cache approver"
answer '{"decision":"approved_for_session"}'
is "control: in the sandbox" "$(outside_again ./build.sh 'echo more >>build.sh')" "approver cache cache"
rm -f "$scratch/asked"

# Patches: one key a file, and directories.
doc '.command.tool = "patch" | .command.files = ["/w/a", "/w/b"]' >"$scratch/patch"
cat >"$scratch/patches" <<END
a() { $HELPER/jq -c ".command.files = \$1" $scratch/patch | "$approve" 2>/dev/null | $HELPER/jq -r .approval.by; }
a '["/w/a","/w/b"]'
a '["/w/b"]'
a '["/w/b","/w/a"]'
a '["/w/a","/w/c"]'
END
session -- sh "$scratch/patches"
is "a patch: files that were approved, in any order; one more is asked" "$(xargs <<<"$out")" "approver cache cache approver"
answer '{"decision":"approved","grant_root":"/w"}'
cat >"$scratch/roots" <<END
a() { $HELPER/jq -c ".command.files = \$1" $scratch/patch | "$approve" 2>/dev/null | $HELPER/jq -r .approval.by; }
a '["/w/a"]'
a '["/w/deep/x"]'
a '["/wx"]'
a '["/w/../etc/passwd"]'
"$approve" --list | $HELPER/jq -r .key
END
session -- sh "$scratch/roots"
is "grant_root: the directory, and not what looks like it" "$(xargs <<<"$out")" "approver cache approver approver root:/w root:/w root:/w"
rm "$scratch/asked"

# --list, --revoke, --clear
answer '{"decision":"approved_for_session"}'
cat >"$scratch/manage" <<END
"$approve" <$scratch/doc >/dev/null
"$approve" --list | $HELPER/jq -c '[.key, .cwd, .outside]'
"$approve" --revoke "exec:other" 2>/dev/null; echo \$?
"$approve" --revoke "exec:make test"; echo \$?
"$approve" <$scratch/doc | $HELPER/jq -r .approval.by
"$approve" --clear; echo \$?
"$approve" --list
"$approve" <$scratch/doc | $HELPER/jq -r .approval.by
END
session -- sh "$scratch/manage"
is "listed, revoked, cleared" "$(xargs -d '\n' <<<"$out")" "[\"exec:make test\",\"$ws\",false] 3 0 approver 0 approver"
run "$approve" --list
is "without a session" "$status" 2
run env SBX_SESSION="$scratch/none" "$approve" <"$scratch/doc"
is "a session that is not there is an error" "$status $(jq -r .error.exit <<<"$out")" "5 5"
like "with the cure" "$err" 'unset SBX_SESSION'

# The caller's own approver goes first, and is remembered too.
cat >"$scratch/own" <<END
"$approve" --approver "cat >/dev/null; echo '{\"decision\":\"approved_for_session\"}'" <$scratch/doc | $HELPER/jq -r .approval.by
"$approve" --approver false <$scratch/doc | $HELPER/jq -r .approval.by
END
rm -f "$scratch/asked"
session -- sh "$scratch/own"
is "the caller's own approver is asked, the session's is not" "$(xargs <<<"$out") $(asked)" "approver cache 0"

# eval "$(sbx-approve --serve)": as long as the shell.
for shell in bash dash; do
	have PROGRAM $shell || continue
	run $shell -c "eval \"\$($approve --serve --approver $scratch/approver)\"; $approve <$scratch/doc | $HELPER/jq -r .approval.by
		echo \$SBX_SESSION; echo \$SBX_SESSION_PID; $approve <$scratch/doc | $HELPER/jq -r .approval.by"
	is "$shell: eval \"\$(sbx-approve --serve)\"" "$(sed -n '1p;4p' <<<"$out" | xargs)" "approver cache"
	gone() { ! kill -0 "$(sed -n 3p <<<"$out")" 2>/dev/null; }
	ok "$shell: ... ends with the shell" eventually 5 gone
	is "$shell: ... leaves nothing" "$(find "$XDG_RUNTIME_DIR" -mindepth 1)" ""
done

# Private, and in a place of its own.
session -- sh -c 'stat -c "%a %F" "$(dirname "$SBX_SESSION")" "$SBX_SESSION"'
is "directory and socket" "$(xargs <<<"$out")" "700 directory 600 socket"
chmod 777 "$XDG_RUNTIME_DIR"
session -- sh -c 'echo "$SBX_SESSION"'
unlike "not in a directory that others can write" "$out" "^$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"

# Unreachable from a sandbox, whatever the network is.
if have USERNS; then
	for network in off loopback on; do
		cat >"$scratch/inside.py" <<'END'
import os, socket, sys
print("session=" + os.environ.get("SBX_SESSION", ""))
try:
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    s.sendall(b'{"op":"list"}\n')
    print("REACHED", s.recv(100))
except OSError as e:
    print("refused", e.errno)
END
		session -- sh -c "$SBX/sbx-run -s workspace-write -a never -C $ws --network $network -- /usr/bin/python3 $scratch/inside.py \"\$SBX_SESSION\""
		is "network $network: refused from inside (EPERM), and the variable is not there" "$(xargs <<<"$out")" "session= refused 1"
	done
	session -- sh -c "/usr/bin/python3 $scratch/inside.py \"\$SBX_SESSION\""
	like "control: from outside it is reached" "$out" '^REACHED .*decisions'
	session -- sh -c "unshare -U /usr/bin/python3 $scratch/inside.py \"\$SBX_SESSION\""
	like "another user namespace is refused" "$out" "^(refused (32|104)|REACHED b'')$"
fi

# Fifty at once, each with a command of its own, one answer for each.
cat >"$scratch/slow" <<END
#!/bin/sh
cat >>$scratch/asked
sleep 0.2
echo '{"decision":"approved_for_session"}'
END
chmod 755 "$scratch/slow"
rm -f "$scratch/asked"
cat >"$scratch/fifty" <<END
i=0
while [ \$i -lt 50 ]; do
	$HELPER/jq -c ".command.argv = [\"make\", \"\$i\"]" $scratch/doc | "$approve" | $HELPER/jq -r '"\(.approval.key) \(.approval.by)"' &
	i=\$((i + 1))
done
wait
"$approve" --list | wc -l
END
run timeout 60 "$approve" --serve --approver "$scratch/slow" -- sh "$scratch/fifty"
is "fifty clients at once" "$status $(grep -c 'exec:make [0-9]* approver' <<<"$out") $(tail -n 1 <<<"$out") $(asked)" "0 50 50 50"

# Whatever goes wrong.
cat >"$scratch/broken.py" <<'END'
import json, os, socket, sys
def talk(data, wait=True):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(20)
    s.connect(os.environ["SBX_SESSION"])
    try:
        s.sendall(data)
        return s.recv(100000) if wait else s
    except (BrokenPipeError, ConnectionResetError):
        return b""
bad = 0
for data in [b"junk\n", b"\n", b"{}\n", b"[]\n", b"{\"op\":1}\n", b"{\"op\":\"other\"}\n", b"{\"op\":\"ask\"}\n", b"\0\n",
             b"{\"op\":\"ask\",\"request\":1}\n", b"{\"op\":\"lookup\"}\n", b"{\"op\":\"lookup\",\"binds\":[]}\n",
             b"{\"op\":\"lookup\",\"binds\":7}\n", b"{\"op\":\"store\"}\n", b"{\"op\":\"revoke\",\"key\":\"x\"}\n"]:
    answer = talk(data)
    if b"approved" in answer:
        print("approved:", data, answer)
        bad = 1
big = {"op": "lookup", "binds": [{"key": "x" * 1000000}]}
if b"nobody" not in talk(json.dumps(big).encode() + b"\n"):
    print("1 MB: no answer"); bad = 1
half = [talk(b"{\"op\":", wait=False) for _ in range(20)]   # never finished, then gone
for s in half[:10]:
    s.close()
two = talk(b"{\"op\":\"list\"}\n{\"op\":\"list\"}\n")
if b"decisions" not in two:
    print("two at once:", two); bad = 1
print("done", bad)
END
session -- python3 "$scratch/broken.py"
is "malformed, huge, half and abandoned requests" "$status $out" "0 done 0"

# A client that is killed takes its question with it.
printf '#!/bin/sh\necho $$ >%s/asking; exec sleep 600\n' "$scratch" >"$scratch/endless"
chmod 755 "$scratch/endless"
cat >"$scratch/kill-client" <<END
"$approve" <$scratch/doc >$scratch/killed 2>&1 &
client=\$!
while [ ! -s $scratch/asking ]; do sleep 0.05; done
kill -9 \$client
wait \$client
i=0
while kill -0 "\$(cat $scratch/asking)" 2>/dev/null && [ \$i -lt 100 ]; do sleep 0.05; i=\$((i + 1)); done
kill -0 "\$(cat $scratch/asking)" 2>/dev/null && echo "still asking"
"$approve" --list; echo "alive \$?"
END
run timeout 60 "$approve" --serve --approver "$scratch/endless" -- sh "$scratch/kill-client"
is "a killed client: the question ends, the session goes on" "$status $out" "0 alive 0"
is "and nothing was approved" "$(grep -c approved "$scratch/killed")" 0

# A session that is killed while it asks.
rm -f "$scratch/asking"
cat >"$scratch/kill-session" <<END
"$approve" <$scratch/doc >$scratch/aborted 2>$scratch/why &
client=\$!
while [ ! -s $scratch/asking ]; do sleep 0.05; done
kill -9 \$PPID
wait \$client
echo "client \$?" >$scratch/ended
END
timeout 60 "$approve" --serve --approver "$scratch/endless" -- sh "$scratch/kill-session" >/dev/null 2>&1
ok "a killed session ends the client" eventually 10 test -s "$scratch/ended"
is "as an abort" "$(cat "$scratch/ended") $(jq -r .approval.decision "$scratch/aborted")" "client 1 abort"
asking_ended() { ! kill -0 "$(cat "$scratch/asking")" 2>/dev/null; }
ok "and the approver" eventually 10 asking_ended
finish
