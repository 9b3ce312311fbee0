#!/bin/bash
# All of the changes are made or none, at whatever call the writer is killed or fails: at
# once, or when the next sbx-run begins.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
[ -x "$HELPER/fault" ] || skip_all "no fault injection on this machine"
export HOME=$scratch/home
mkdir "$HOME"
journals=$HOME/.local/state/sbx/previews/journals

fresh() {
	! exists "$ws" || remove "$ws"
	! exists "$HOME/.local/state/sbx" || remove "$HOME/.local/state/sbx"
	mkdir -p "$ws/d/deep" "$ws/gone/below" "$ws/closed"
	echo a >"$ws/a"
	echo b >"$ws/d/b"
	echo c >"$ws/gone/below/c"
	echo x >"$ws/closed/x"
	ln -s a "$ws/link"
	echo t >"$ws/type"
	find "$ws" -exec touch -h -d 2001-02-03 {} +
	chmod 500 "$ws/closed"
	"$SBX/sbx-run" --preview -a never --report off -C "$ws" -- sh -c 'echo more >>a; rm -r gone; mkdir -p n/m
		echo z >n/m/z; ln n/m/z n/y; chmod 700 closed; echo y >closed/y; rm closed/x; chmod 500 closed
		rm type; mkdir type; echo in >type/in; ln -s n newlink; chmod 600 d/b; touch -d 2002-03-04 d'
	id=$("$SBX/sbx-run" --changes | head -n 1 | cut -d ' ' -f 1)
}
# Times of what is new are those of the preview: what is compared is that they are not old.
tree() {
	(cd "$ws" && find . -printf '%P|%y|%m|%n|%l|' \( -newermt 2010-01-01 -printf 'new\n' -o -printf '%T@\n' \) | LC_ALL=C sort
		find . -type f -exec cat {} + 2>/dev/null | LC_ALL=C sort)
}
# A killed writer may be on its way out for a moment, and has its journal until then.
recovered() {
	"$SBX/sbx-run" --changes >/dev/null
	[ -z "$(ls -A "$journals" 2>/dev/null)" ]
}
fresh
old=$(tree)
command=("$SBX/sbx-run" --apply)
"${command[@]}" "$id" >"$scratch/.ok" 2>&1
new=$(tree)
isnt "control: it changes something" "$new" "$old"
fresh
"$HELPER/fault" "$scratch/points" 20 - "${command[@]}" "$id" >/dev/null 2>&1
is "control: it is applied while it is watched" "$(tree)" "$new"
writer=$(awk '$3 == "renameat2" {print $1; exit}' "$scratch/points")
mapfile -t points < <(awk -v w="$writer" '
	$1 == w && $3 ~ /^(write|openat2?|mkdirat|fsync|syncfs|fchmod|chmod|fchmodat|renameat2?|unlinkat|linkat|symlinkat|utimensat|ftruncate|flock|landlock_restrict_self)$/ {print $1 ":" $3 ":" $4 ":KILL"}
	$1 == w && $3 ~ /^(write|fsync|fchmod|renameat2?|mkdirat|linkat|symlinkat|utimensat)$/ {print $1 ":" $3 ":" $4 ":ENOSPC"}' "$scratch/points")
ok "control: there are calls to be killed at" [ "${#points[@]}" -gt 100 ]
step=$(long 25 1)
wrong=0 undone=0 killed=0 tried=0
for ((n = RANDOM % step; n < ${#points[@]}; n += step)); do
	fresh
	"$HELPER/fault" "$scratch/result" 20 "${points[n]}" "${command[@]}" "$id" >/dev/null 2>&1
	tried=$((tried + 1))
	grep -q 'reached=1' "$scratch/result" && killed=$((killed + 1))
	now=$(tree)
	[ "$now" = "$old" ] || [ "$now" = "$new" ] || {
		# Nobody was left to undo it: the next one does, whatever it is asked.
		undone=$((undone + 1))
		eventually 10 recovered
		now=$(tree)
	}
	[ "$now" = "$old" ] || [ "$now" = "$new" ] || {
		wrong=$((wrong + 1))
		note "${points[n]}: $(diff <(echo "$old") <(echo "$now"))"
	}
	# What was undone can be applied after all.
	eventually 10 recovered
	if [ "$(tree)" = "$old" ] && ! { "${command[@]}" "$id" --force >"$scratch/.ok" 2>&1 && [ "$(tree)" = "$new" ]; }; then
		wrong=$((wrong + 1))
		note "${points[n]}: not applied afterwards: $(cat "$scratch/.ok") $(diff <(echo "$new") <(tree))"
	fi
	is_left=$(ls -A "$journals" 2>/dev/null)$(find "$ws" -name '.sbx*')
	[ -z "$is_left" ] || {
		wrong=$((wrong + 1))
		note "${points[n]}: left: $is_left"
	}
done
note "$killed of $tried points were reached; $undone were undone by the next run"
ok "control: the points are reached" [ $((killed * 10)) -gt $((tried * 8)) ]
is "ended or failing at any of its calls: all of it is there or nothing, and can be had again" "$wrong" 0

# So is the one that undoes it, and the next one goes on.
half() {
	fresh
	"$HELPER/fault" "$scratch/result" 20 "$writer:renameat2:$middle:KILL" "${command[@]}" "$id" >/dev/null 2>&1
}
middle=$(awk -v w="$writer" '$1 == w && $3 == "renameat2" {n = $4} END {print int(n / 2)}' "$scratch/points")
half
now=$(tree)
part() { [ "$now" != "$old" ] && [ "$now" != "$new" ]; }
ok "control: an apply that was killed has made a part of the changes" part
"$HELPER/fault" "$scratch/points" 20 - "$SBX/sbx-run" --changes >/dev/null 2>&1
is "control: the next sbx-run undoes them" "$(tree)" "$old"
undoer=$(awk '$3 == "renameat2" {print $1; exit}' "$scratch/points")
mapfile -t points < <(awk -v w="$undoer" '
	$1 == w && $3 ~ /^(openat2?|read|fchmodat|fchmod|chmod|renameat2?|unlinkat|linkat|utimensat|flock)$/ {print $1 ":" $3 ":" $4 ":KILL"}' "$scratch/points")
step=$(long 25 1)
wrong=0 killed=0 tried=0
for ((n = RANDOM % step; n < ${#points[@]}; n += step)); do
	half
	"$HELPER/fault" "$scratch/result" 20 "${points[n]}" "$SBX/sbx-run" --changes >/dev/null 2>&1
	tried=$((tried + 1))
	grep -q 'reached=1' "$scratch/result" && killed=$((killed + 1))
	eventually 10 recovered
	now=$(tree)
	if [ "$now" != "$old" ] || [ -n "$(find "$ws" -name '.sbx*')" ]; then
		wrong=$((wrong + 1))
		note "${points[n]}: $(diff <(echo "$old") <(echo "$now"))"
	fi
done
ok "control: $killed of $tried points of it are reached" [ $((killed * 10)) -gt $((tried * 8)) ]
is "ended while it undoes: the next one undoes the rest" "$wrong" 0
chmod -R u+rwx "$ws"

# Whoever replaces a file, as editors do, or writes into it, right before one of these calls
# keeps what he wrote.
for how in "echo mine >$ws/.mine && mv $ws/.mine $ws/f" "echo mine >$ws/.mine && mv $ws/.mine $ws/gone" "echo mine >$ws/f" "echo mine >$ws/gone"; do
	lost=0 refused=0 n=0 name=${how##*/}
	export FAULT_RUN=$how
	while
		remove "$ws"
		remove "$HOME/.local/state/sbx"
		mkdir "$ws"
		echo old | tee "$ws/a" "$ws/f" >"$ws/gone"
		"$SBX/sbx-run" --preview -a never --report off -C "$ws" -- sh -c 'echo new | tee a f >z; rm gone'
		id=$("$SBX/sbx-run" --changes | head -n 1 | cut -d ' ' -f 1)
		n=$((n + 1))
		"$HELPER/fault" "$scratch/result" 20 "$writer:renameat2:$n:RUN" "${command[@]}" "$id" >/dev/null 2>&1
		grep -q 'reached=1' "$scratch/result"
	do
		grep -q 'status=0' "$scratch/result" || refused=$((refused + 1))
		[ "$(cat "$ws/$name")" = mine ] || {
			lost=$((lost + 1))
			note "before renameat2 $n: $(cat "$scratch/result") $(head "$ws"/*)"
		}
		grep -q 'status=0' "$scratch/result" || [ "$(cat "$ws/a")" = old ] || lost=$((lost + 1))
		[ -z "$(ls -A "$journals")$(find "$ws" -name '.sbx*')" ] || lost=$((lost + 1))
	done
	ok "control: $name is another at $((n - 1)) calls, and $refused times that is why nothing is applied" [ "$refused" -gt 0 ]
	is "$name is what was written last" "$lost" 0
done
finish
