#!/bin/bash
# What the command started ends with it; what the launcher changed on disk is
# undone, also by the next run; nothing but three handles gets in.
. "${0%/*}/../lib/lib.sh"
. "${0%/*}/wine.sh"
echild=$(drive "$child")
size() { stat -c %s "$1" 2>/dev/null || echo 0; }
stopped() {
	local before
	before=$(size "$1")
	sleep 0.5
	[ "$(size "$1")" = "$before" ]
}

not_stopped() { ! stopped "$1"; }

# Grandchildren.
timeout 60 wine "$child" spawn beat "$(drive "$ws/control")"
ok "control: without the launcher a grandchild lives on" not_stopped "$ws/control"
launch "$echild" spawn beat "$(drive "$ws/beat")"
is "the command ended" "$status" 0
ok "its grandchild had begun" test -s "$ws/beat"
ok "... and ended with it" stopped "$ws/beat"

# Time limits.
make_plan "$scratch/plan" '.command.timeout_ms = 3000'
SECONDS=0
launch "$echild" beat "$(drive "$ws/slow")"
is "what takes too long is 124" "$status" 124
like "... said" "$err" '^sbx-wintoken: timed out'
ok "... at its time" test "$SECONDS" -lt 30
ok "... and over" stopped "$ws/slow"
launch "$echild" exit 5
is "what does not take too long is not" "$status" 5
make_plan "$scratch/plan"

# The launcher itself is killed.
run wine "$driver" kill 3000 "$(drive "$bin")" --unenforced --plan-file "$(drive "$scratch/plan")" -- \
	"$echild" beat "$(drive "$ws/orphan")"
ok "the command had begun" test -s "$ws/orphan"
ok "a killed launcher takes the command along" stopped "$ws/orphan"

# ... and leaves what the next run finds.
journal=$CODEX_HOME/sbx-wintoken/journal
ok "what it left is written down" test -s "$journal"
ok "the carve-out that it made is still there" test -d "$ws/.git"
launch "$echild" exit 0
is "the next run undoes it" "$status $(size "$journal")" "0 0"
ok "... the carve-out too" absent "$ws/.git"

# A carve-out that was missing is there during the run.
launch cmd /c "if exist .git exit 42"
is "a missing carve-out is made for the run" "$status" 42
ok "... and gone after it" absent "$ws/.git"
is "nothing is left to undo" "$(size "$journal")" 0
mkdir "$ws/.git"
echo keep >"$ws/.git/config"
launch "$echild" exit 0
is "one that was there stays" "$(cat "$ws/.git/config")" keep
rm -r "$ws/.git"

# Two at once share what they changed; the last one undoes it.
make_plan "$scratch/plan.long" '.command.timeout_ms = 12000'
wine "$bin" --unenforced --plan-file "$(drive "$scratch/plan.long")" -- "$echild" beat "$(drive "$ws/long")" \
	>/dev/null 2>&1 &
long=$!
eventually 30 test -s "$ws/long"
launch "$echild" exit 0
is "the one ends" "$status" 0
ok "... while the other keeps its carve-out" test -d "$ws/.git"
wait $long
ok "... until it ends as well" absent "$ws/.git"
is "... and nothing is left" "$(size "$journal")" 0

# Handles.
run wine "$driver" handles "$(drive "$child")" write
is "control: a pipe of the caller is inherited without the launcher" "${out%$'\r'}" leaked
run wine "$driver" handles "$(drive "$bin")" --unenforced --plan-file "$(drive "$scratch/plan")" -- "$echild" write
is "and not through it" "${out%$'\r'}" nothing

# Directories that everybody may write are found.
mkdir -p "$scratch/audit/open" "$scratch/audit/shut/deeper"
chmod 777 "$scratch/audit/open" "$scratch/audit/shut/deeper"
chmod 755 "$scratch/audit" "$scratch/audit/shut"
run wine "$bin" --audit "$(drive "$scratch/audit")"
is "the audit lists what Everyone may write" "$status $(jq -r 'select(.path).path' <<<"$out" | tr '\n' ' ')" \
	"0 $(drive "$scratch/audit/open") $(drive "$scratch/audit/shut/deeper") "
is "... and says how much it saw" "$(jq -c 'select(.directories) | [.directories, .complete]' <<<"$out")" "[4,true]"
run wine "$bin" --audit 'C:nowhere'
is "a place that is none is refused" "$status" 3
finish
