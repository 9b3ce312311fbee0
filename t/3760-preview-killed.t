#!/bin/bash
# All of the changes are made or none, at whatever call the writer is killed or fails: at
# once, or when the next sbx-run begins.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
[ -x "$HELPER/fault" ] || skip_all "no fault injection on this machine"
export HOME=$scratch/home
mkdir "$HOME"
kept=$HOME/.local/state/sbx
journals=$kept/previews/journals

preview() {
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
# The same preview each time, of a workspace that is newer than it: --force.
preview
rm -f "$kept/previews/turn"
chmod -R u+rwx "$kept/previews/$id/0/work"
jq '{then: .permissions, now: .permissions}' "$kept/previews/$id/about" >"$scratch/policies"
cp -a "$ws" "$scratch/first-ws"
cp -a "$kept" "$scratch/first-kept"
fresh() {
	remove "$ws"
	remove "$kept"
	cp -a "$scratch/first-ws" "$ws"
	cp -a "$scratch/first-kept" "$kept"
}
# What sbx-run calls for it, without the policy that it asks for first.
command=("$SBX/sbx-linux-sandbox" --kept-previews force "$kept/previews" "$id")
recover=("$SBX/sbx-linux-sandbox" --kept-previews recover "$kept/previews")
apply() { "${command[@]}" <"$scratch/policies" >"$scratch/.ok" 2>&1; }
fault() { "$HELPER/fault" "$1" 20 "$2" "${@:3}" <"$scratch/policies" >/dev/null 2>&1; }
# Times of what is new are those of the preview: what is compared is that they are not old.
tree() {
	(cd "$ws" && find . -printf '%P|%y|%m|%n|%l|' \( -newermt 2010-01-01 -printf 'new\n' -o -printf '%T@\n' \) | LC_ALL=C sort
		find . -type f -exec cat {} + 2>/dev/null | LC_ALL=C sort)
}
# A killed writer may be on its way out for a moment, and has its journal until then.
recovered() {
	"${recover[@]}"
	[ -z "$(ls -A "$journals" 2>/dev/null)" ]
}
is_left() { find "$ws" "$kept/previews" "$journals" \( -name ".sbx*" -o -path "$journals/*" \) -print 2>/dev/null; }
old=$(tree)
run "$SBX/sbx-run" --apply "$id"
new=$(tree)
isnt "control: it changes something" "$new" "$old"
fresh
fault "$scratch/points" - "${command[@]}"
is "control: it is applied while it is watched" "$(tree)" "$new"
# Between two calls that change something all moments are alike.
mapfile -t points < <(awk '
	$3 ~ /^(write|mkdirat|fsync|syncfs|fchmod|chmod|fchmodat|renameat2?|unlinkat|linkat|symlinkat|utimensat|ftruncate)$/ {print $1 ":" $3 ":" $4 ":KILL"}
	$3 ~ /^(write|fsync|fchmod|renameat2?|mkdirat|linkat|symlinkat|utimensat)$/ {print $1 ":" $3 ":" $4 ":ENOSPC"}' "$scratch/points")
ok "control: there are calls to be killed at" [ "${#points[@]}" -gt 100 ]
step=$(long 25 1)
wrong=0 undone=0 killed=0 tried=0
for ((n = RANDOM % step; n < ${#points[@]}; n += step)); do
	fresh
	fault "$scratch/result" "${points[n]}" "${command[@]}"
	tried=$((tried + 1))
	grep -q 'reached=1' "$scratch/result" && killed=$((killed + 1))
	now=$(tree)
	[ "$now" = "$old" ] || [ "$now" = "$new" ] || undone=$((undone + 1))
	# Nobody was left to undo it: the next one does, whatever it is asked.
	eventually 10 recovered
	now=$(tree)
	[ "$now" = "$old" ] || [ "$now" = "$new" ] || {
		wrong=$((wrong + 1))
		note "${points[n]}: $(diff <(echo "$old") <(echo "$now"))"
	}
	# What was undone can be applied after all.
	if [ "$now" = "$old" ] && ! { apply && [ "$(tree)" = "$new" ]; }; then
		wrong=$((wrong + 1))
		note "${points[n]}: not applied afterwards: $(cat "$scratch/.ok") $(diff <(echo "$new") <(tree))"
	fi
	left=$(is_left)
	[ -z "$left" ] || {
		wrong=$((wrong + 1))
		note "${points[n]}: left: $left"
	}
done
note "$killed of $tried points were reached; $undone were undone by the next run"
ok "control: the points are reached" [ $((killed * 10)) -gt $((tried * 8)) ]
is "ended or failing at any of its calls: all of it is there or nothing, and can be had again" "$wrong" 0

# So is the one that undoes it, and the next one goes on.
half() {
	fresh
	fault "$scratch/result" "0:renameat2:$middle:KILL" "${command[@]}"
}
middle=$(awk '$3 == "renameat2" {n = $4} END {print int(n / 2)}' "$scratch/points")
part() { [ "$now" != "$old" ] && [ "$now" != "$new" ]; }
half
now=$(tree)
ok "control: an apply that was killed has made a part of the changes" part
run "$SBX/sbx-run" --changes
is "the next sbx-run undoes them" "$(tree)" "$old"
half
fault "$scratch/points" - "${recover[@]}"
is "control: so does what it calls for that" "$(tree)" "$old"
mapfile -t points < <(awk '
	$3 ~ /^(fchmodat|fchmod|chmod|renameat2?|unlinkat|linkat|utimensat)$/ {print $1 ":" $3 ":" $4 ":KILL"}' "$scratch/points")
step=$(long 25 1)
wrong=0 killed=0 tried=0
for ((n = RANDOM % step; n < ${#points[@]}; n += step)); do
	half
	fault "$scratch/result" "${points[n]}" "${recover[@]}"
	tried=$((tried + 1))
	grep -q 'reached=1' "$scratch/result" && killed=$((killed + 1))
	eventually 10 recovered
	now=$(tree)
	if [ "$now" != "$old" ] || [ -n "$(is_left)" ]; then
		wrong=$((wrong + 1))
		note "${points[n]}: $(diff <(echo "$old") <(echo "$now")) $(is_left)"
	fi
done
ok "control: $killed of $tried points of it are reached" [ $((killed * 10)) -gt $((tried * 8)) ]
is "ended while it undoes: the next one undoes the rest" "$wrong" 0
chmod -R u+rwx "$ws" "$scratch"/first-*

# Whoever replaces a file, as editors do, or writes into it, right before one of these calls
# keeps what he wrote.
for how in "echo mine >$ws/.mine && mv $ws/.mine $ws/f" "echo mine >$ws/.mine && mv $ws/.mine $ws/gone" "echo mine >$ws/f" "echo mine >$ws/gone"; do
	lost=0 refused=0 n=0 name=${how##*/}
	export FAULT_RUN=$how
	while
		remove "$ws"
		remove "$kept"
		mkdir "$ws"
		echo old | tee "$ws/a" "$ws/f" >"$ws/gone"
		"$SBX/sbx-run" --preview -a never --report off -C "$ws" -- sh -c 'echo new | tee a f >z; rm gone'
		id=$("$SBX/sbx-run" --changes | head -n 1 | cut -d ' ' -f 1)
		n=$((n + 1))
		fault "$scratch/result" "0:renameat2:$n:RUN" "$SBX/sbx-linux-sandbox" --kept-previews apply "$kept/previews" "$id"
		grep -q 'reached=1' "$scratch/result"
	do
		grep -q 'status=0' "$scratch/result" || refused=$((refused + 1))
		[ "$(cat "$ws/$name")" = mine ] || {
			lost=$((lost + 1))
			note "before renameat2 $n: $(cat "$scratch/result") $(head "$ws"/*)"
		}
		grep -q 'status=0' "$scratch/result" || [ "$(cat "$ws/a")" = old ] || lost=$((lost + 1))
		[ -z "$(is_left)" ] || lost=$((lost + 1))
	done
	ok "control: $name is another at $((n - 1)) calls, and $refused times that is why nothing is applied" [ "$refused" -gt 0 ]
	is "$name is what was written last" "$lost" 0
done
finish
