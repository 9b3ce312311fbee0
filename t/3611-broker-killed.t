#!/bin/bash
# A broker that dies leaves nothing writable: not what is protected, and not
# what it was asked to write either.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/container.sh"
need LANDLOCK 3
need NOTIFY

mkdir "$ws/.git"
echo good >"$ws/.git/config"
before=$(state "$ws/.git")
cat >"$scratch/busy" <<'END2'
#!/bin/sh
# Tries on, whatever happens to the sandbox.
trap '' TERM HUP INT PIPE
n=0
while :; do
	n=$((n + 1))
	echo evil 2>/dev/null >.git/config
	echo evil 2>/dev/null >.git/new
	mv .git moved 2>/dev/null
	chmod 777 .git/config 2>/dev/null
	echo $n 2>/dev/null >count
done
END2
chmod +x "$scratch/busy"
helper_of() {
	local file
	for file in /proc/[0-9]*/cmdline; do
		if tr '\0' ' ' <"$file" 2>/dev/null | grep -qE "^[^ ]*sbx-linux-sandbox .*$ws"; then
			file=${file#/proc/}
			echo "${file%/cmdline}"
			return
		fi
	done
}
for try in 1 2 3; do
	rm -f "$ws/count"
	"${docker[@]}" "$SBX/sbx-run" -v -s workspace-write -a never -C "$ws" -- "$scratch/busy" \
		>/dev/null 2>&1 &
	runner=$!
	disown -h
	kill_later "$runner"
	ok "the command works ($try)" eventually 10 test -s "$ws/count"
	kill -KILL "$(helper_of)"
	wait "$runner" 2>/dev/null
	isnt "... and does not end well without the broker" "$?" 0
	ok "nothing of it is left" eventually 10 not_running "$scratch/busy"
	was=$(cat "$ws/count")
	is "what was protected is as it was" "$(state "$ws/.git")" "$before"
	is "... and nothing is written any more" "$(cat "$ws/count")" "$was"
done
(cd "$ws" && timeout -s KILL 1 "$scratch/busy") 2>/dev/null
isnt "control: without a sandbox it is changed" "$(state "$ws/.git")" "$before"
finish
