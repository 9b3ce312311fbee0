#!/bin/bash
# Previews are kept for their user alone, a hundred of them at most, and for thirty days.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
export HOME=$scratch/home
mkdir "$HOME"
previews=$HOME/.local/state/sbx/previews
try=("$SBX/sbx-run" --preview -a never -C "$ws" --)
ids() { "$SBX/sbx-run" --changes | cut -d ' ' -f 1; }

umask 000
run "${try[@]}" sh -c 'echo one >one; mkdir closed; echo x >closed/x; chmod 000 closed'
umask 022
old=$(ids)
is "closed to others, whatever the umask" "$(stat -c %a "$previews" "$previews/$old" "$previews/journals" | sort -u)" 700
chmod 755 "$previews"
run "${try[@]}" true
like "a place that is open to others is not used" "$status $err" "^125 .*not a directory of yours that is closed"
chmod 700 "$previews"

# By its age; the day after tomorrow is another run's.
touch -d '29 days ago' "$previews/$old"
run "${try[@]}" sh -c 'echo two >two'
is "after 29 days it is there" "$(ids | grep -cx "$old")" 1
touch -d '31 days ago' "$previews/$old"
run "${try[@]}" sh -c 'echo three >three'
is "after 31 days it is not, with all that was in it" "$(ids | grep -cx "$old") $(absent "$previews/$old" && echo gone)" "0 gone"
is "the others are" "$(ids | wc -l)" 2
# One that runs has its lock, however old it looks.
mkfifo "$scratch/hold"
"${try[@]}" sh -c 'echo x >running; echo ready; cat' <"$scratch/hold" >"$scratch/one" 2>&1 &
one=$!
kill_later "$one"
exec 7>"$scratch/hold"
eventually 10 grep -q ready "$scratch/one"
running=$("$SBX/sbx-run" --changes | awk '$4 == "running" {print $1}')
touch -d '31 days ago' "$previews/$running"
run "${try[@]}" sh -c 'echo four >four'
is "one that runs stays" "$("$SBX/sbx-run" --changes | awk '$4 == "running" {print $1}')" "$running"
exec 7>&-
wait "$one"

for ((n = $(ids | wc -l); n < 100; n++)); do mkdir -m 700 "$previews/$(printf %08x "$n")"; done
run "${try[@]}" sh -c 'echo ran; echo x >more'
is "a hundred and no more: nothing runs" "$status $out" "125 "
like "... one line says why" "$err" "^sbx-run: --preview: 100 previews are kept already; sbx-run --changes lists them, --discard ID forgets one$"
is "they are listed" "$(ids | wc -l)" 100
"$SBX/sbx-run" --discard "$(ids | head -n 1)"
run "${try[@]}" sh -c 'echo ran'
is "when one is forgotten there is room" "$status $out" "0 ran"
finish
