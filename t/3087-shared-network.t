#!/bin/bash
# Runs that name the same network, and runs of one session, reach each other's
# servers; nobody else does, and they reach nobody else.
. "${0%/*}/lib/lib.sh"
need PROGRAM python3
need USERNS

cat >"$ws/serve.py" <<'END'
import socket, sys
servers = [socket.create_server(("127.0.0.1", int(sys.argv[1])))]
for name in sys.argv[2:]:
    s = socket.socket(socket.AF_UNIX)
    s.bind("\0" + name[1:] if name[0] == "@" else name)
    s.listen()
    servers.append(s)
print("ready", flush=True)
sys.stdin.read()
END
cat >"$ws/reach.py" <<'END'
import socket, sys
for where in sys.argv[1:]:
    try:
        if where.isdigit():
            socket.create_connection(("127.0.0.1", int(where)), 10).close()
        else:
            socket.socket(socket.AF_UNIX).connect("\0" + where[1:] if where[0] == "@" else where)
        print("reached", end=" ")
    except OSError:
        print("refused", end=" ")
END
port=$((20000 + $$ % 20000))
abstract=@sbx-$$
# A server in such a sandbox, until "end".
begin() {
	rm -f "$scratch/hold" "$scratch/ready" "$ws/socket"
	mkfifo "$scratch/hold"
	"$@" python3 serve.py "$port" "$ws/socket" "$abstract" <"$scratch/hold" >"$scratch/ready" 2>/dev/null &
	server=$!
	kill_later "$server"
	exec 7>"$scratch/hold"
	eventually 10 grep -q ready "$scratch/ready"
}
end() {
	exec 7>&-
	wait "$server"
}
reach() { boxed python3 reach.py "$port"; }
place() { find "/tmp/.sbx-$(id -u)/networks" -type f ! -name lock -newer "$ws/reach.py" 2>/dev/null; }

set_box --network loopback:dev
begin "${box[@]}"
before=$(place)
boxed python3 reach.py "$port" "$ws/socket" "$abstract"
is "the same name: the server is reached, by sockets of all kinds" "$out" "reached reached reached "
boxed cat /proc/net/dev
is "there is nothing but a loopback" "$(grep -c : <<<"$out")" 1
run python3 "$ws/reach.py" "$port" "$abstract"
is "the host does not reach it" "$out" "refused refused "
set_box --network loopback:other
boxed python3 reach.py "$port" "$ws/socket" "$abstract"
is "nor a network of another name" "$out" "refused refused refused "
set_box
boxed python3 reach.py "$port" "$ws/socket" "$abstract"
is "nor one without a name" "$out" "refused refused refused "
set_box --network loopback:dev
box[2]=read-only
reach
is "nor a run that may write less" "$out" "refused "
mkdir "$scratch/more"
set_box --network loopback:dev --add-dir "$scratch/more"
reach
is "nor one that may write more" "$out" "refused "
mkdir "$scratch/ws2"
cp "$ws/reach.py" "$scratch/ws2"
run "$SBX/sbx-run" -s workspace-write -a never -C "$scratch/ws2" --network loopback:dev -- python3 reach.py "$port"
is "nor one of another workspace" "$out" "refused "
set_box --network loopback:dev
git init -q "$ws/deep"
reach
is "a repository that was made meanwhile parts nobody" "$out" "reached "

# The host's own is out of reach from there.
mkfifo "$scratch/hold1"
python3 "$ws/serve.py" $((port + 1)) <"$scratch/hold1" >"$scratch/host" &
kill_later $!
exec 6>"$scratch/hold1"
eventually 10 grep -q ready "$scratch/host"
run python3 "$ws/reach.py" $((port + 1))
is "control: a server of the host is reached outside" "$out" "reached "
boxed python3 reach.py $((port + 1))
is "and not from a network with a name" "$out" "refused "
exec 6>&-

# Inside nobody sees who is there, and nobody can enter.
boxed sh -c 'ls -Ad /tmp/.sbx-* 2>/dev/null; nsenter --net=/proc/1/ns/net true 2>/dev/null && echo entered'
is "nothing of it is seen or entered inside" "$out" ""

# It lasts as long as one of its runs.
mkfifo "$scratch/hold2"
"${box[@]}" sh -c 'echo up; cat' <"$scratch/hold2" >"$scratch/up" 2>/dev/null 7>&- &
second=$!
kill_later "$second"
exec 8>"$scratch/hold2"
eventually 10 grep -q up "$scratch/up"
end
isnt "the first is gone: the other is still there" "$(place)" ""
begin "${box[@]}"
is "and who comes then joins it" "$(place)" "$before"
reach
is "and is reached" "$out" "reached "
end
exec 8>&-
wait "$second"
is "with the last one nothing is left" "$(place)" ""

# What a SIGKILL leaves is nobody's network.
begin "${box[@]}"
pkill -KILL -P "$server"
end
eventually 10 not_running "serve.py $port"
begin "${box[@]}"
reach
is "after a SIGKILL the next begins anew" "$out" "reached "
end
is "and nothing is left" "$(place)" ""

# A session is a network.
cat >"$scratch/session" <<END
set -e
mkfifo "$scratch/hold3"
sbx() { "$SBX/sbx-run" -s workspace-write -a never -C "$ws" "\$@"; }
sbx -- python3 serve.py $port <"$scratch/hold3" >"$scratch/ready3" &
exec 9>"$scratch/hold3"
until grep -q ready "$scratch/ready3"; do sleep 0.02; done
sbx -- python3 reach.py $port
env -u SBX_SESSION "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- python3 reach.py $port
sbx --network loopback:dev -- python3 reach.py $port
sbx --network off -- python3 reach.py $port
exec 9>&-
wait
END
run "$SBX/sbx-approve" --serve -- bash "$scratch/session"
is "runs of a session reach each other, and no others" "$out" "reached refused refused refused "

# Words.
for wrong in hosts:dev on:dev off:x loopback: loopback:-x loopback:a/b "loopback:$(printf '%065d' 0)"; do
	run_sbx --network "$wrong" -- true
	is "--network ${wrong:0:20}: refused" "$status" 125
done
run_sbx --network hosts:dev -- true
like "in words" "$err" "only a loopback can have a name"
run_sbx -s workspace-write --network loopback:dev --allow-host example.org -- true
like "with hosts: in words" "$err" "--allow-host and --network loopback contradict each other"
run "$SBX/sbx-policy" -s workspace-write -C "$ws" --network loopback:dev -- true
is "in the document" "$(jq -c '[.policy.permissions.network, .policy.permissions.network_name]' <<<"$out")" '["loopback","dev"]'
run "$SBX/sbx-policy" -s workspace-write -C "$ws" --network loopback:dev --explain
like "explained" "$out" "shared as  *dev"
run "$SBX/sbx-linux-sandbox" --landlock --cwd "$ws" --policy \
	"{\"permissions\":{\"fs\":[{\"path\":\"/\",\"access\":\"read\"}],\"network\":\"loopback\",\"network_name\":\"dev\"},\"workspace\":\"$ws\"}" -- true
is "where it cannot be had, nothing runs" "$status" 125
like "and why" "$err" "needs a network namespace"
finish
