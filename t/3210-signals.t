#!/bin/bash
# Signals from inside reach nobody outside: not the caller's group, not by
# number, not everybody.
. "${0%/*}/lib/lib.sh"

# A process space of its own: if the sandbox did not hold, -1 would be everybody.
space=(unshare --pid --fork --kill-child --mount-proc)
have ROOT || space=(unshare --map-root-user --pid --fork --kill-child --mount-proc)
"${space[@]}" true 2>/dev/null || skip_all "no process space of its own can be made here"

# The script is one group; it prints whether it lived on after its child.
cat >"$scratch/group" <<'END'
#!/bin/bash
trap 'echo hit' USR1
sleep 30 & bystander=$!
until grep -q "^sleep" "/proc/$bystander/cmdline" 2>/dev/null; do sleep 0.02; done
"$@" >/dev/null 2>&1
sleep 0.2
kill -0 $bystander 2>/dev/null && echo "bystander lives"
kill -KILL $bystander
END
chmod +x "$scratch/group"
group() { run setsid -w "${space[@]}" "$scratch/group" "$@"; }

for target in 0 -1; do
	group "$TRY" kill "$target" 10
	unlike "control: kill($target) reaches a bystander without the sandbox" "$out" 'bystander lives'
	group "${box[@]}" "$TRY" kill "$target" 10
	is "kill($target) reaches nobody with it" "$out" "bystander lives"
	group "${box[@]}" "$TRY" kill "$target" 9
	is "nor with a signal that cannot be caught" "$out" "bystander lives"
done

# By number: the ids outside mean nothing inside.
sleep 60 &
victim=$!
kill_later "$victim"
boxed "$TRY" kill "$victim" 9
ok "a process outside cannot be killed by its number" kill -0 "$victim"
boxed "$TRY" kill $$ 10
pass "nor this test"
boxed "$TRY" pidfd_open "$victim"
like "nor opened" "$out" '^pidfd_open E'
boxed "$TRY" ptrace-seize "$victim"
like "nor traced" "$out" '^ptrace-seize E'
boxed sh -c 'ls -d /proc/[0-9]* | wc -l'
ok "few processes are visible inside ($out)" test "$out" -lt 10
finish
