#!/bin/bash
# A preview has no effect on the host, says what it would have had, and has it when it is
# applied, in full or in part, once.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
export HOME=$scratch/home
mkdir "$HOME"
previews=$HOME/.local/state/sbx/previews
try=("$SBX/sbx-run" --preview -a never -C "$ws" --)
sbx() { run env -C "$ws" "$SBX/sbx-run" "$@"; }
id() { "$SBX/sbx-run" --changes | head -n 1 | cut -d ' ' -f 1; }

mkdir "$ws/.git" "$ws/d" "$ws/e"
echo old >"$ws/f"
echo same >"$ws/moved"
echo x >"$ws/d/x"
echo x >"$ws/e/x"
ln -s f "$ws/l"
printf 'a\0b' >"$ws/bytes"
before=$(state "$ws")
work='echo new >>f; rm -r d; mv moved other; chmod 600 e/x; mkdir -p n/m; echo z >n/m/z; ln -s /etc n/link
rm l; mkdir l; printf "c\0d" >bytes; mkfifo pipe; echo hook >.git/hook; mkdir .codex; cat f'
run "${try[@]}" sh -c "$work"
is "the command sees what it did" "$status $out" "0 old
new"
like "what it may not write it may not write here, either" "$err" "\.git/hook: Read-only"
is "the host is as it was" "$(state "$ws")" "$before"
like "a line says what is kept" "$err" "changes \(.*\), kept as [0-9a-f]{8}: sbx-run --apply "
first=$(id)
is "it is listed" "$("$SBX/sbx-run" --changes | grep -c "$first .* kept .* $ws ")" 1
is "and closed to others" "$(stat -c %a "$previews" "$previews/$first" | sort -u)" 700

sbx --changes "$first"
is "each change is said" "$out" "  changed  bytes (3 bytes, binary)
  deleted  d/ with 1 in it
  mode     e/x (2 bytes) mode 0644 to 0600
  changed  f (4 to 8 bytes)
  type     l/ was a link
  added    n/ with 3 in it
  added    n/link (link) to /etc  !! leads out of the writable roots
  renamed  other (5 bytes) from moved
  added    pipe (fifo)"
sbx --changes --diff "$first"
like "... as a diff" "$out" "^\+new$"
like "... with what a name means" "$out" "^rename from moved$"
sbx --changes --diff "$first" f e
unlike "... of some paths" "$out" "bytes|rename"
have PROGRAM git && {
	cp -a "$ws" "$scratch/patched" && rm -rf "$scratch/patched/.git" "$scratch/patched/bytes"
	"$SBX/sbx-run" --changes --diff "$first" "$ws/f" "$ws/other" "$ws/n" "$ws/d" >"$scratch/diff"
	ok "... that git applies" git -C "$scratch/patched" apply --no-index "$scratch/diff"
	is "... with the same result" "$(cat "$scratch/patched/f" "$scratch/patched/other" "$scratch/patched/n/m/z")" "old
new
same
z"
}

# A part of it, then the rest.
sbx --apply "$first" f nosuch
like "a path without a change is said" "$status $err" "^125 .*/nosuch\": nothing has changed there"
is "... and nothing is changed" "$(cat "$ws/f")" old
sbx --apply "$first" n/m f
is "some paths are applied" "$status $err" "0 "
is "... with the directories on the way" "$(cat "$ws/f" "$ws/n/m/z" "$ws/bytes" | tr '\0' '|')" "old
new
z
a|b"
ok "... and not what is beside them" absent "$ws/n/link"
is "the rest is kept" "$(id)" "$first"
sbx --apply "$first"
is "the rest is applied" "$status $err" "0 "
is "and nothing is kept any more" "$("$SBX/sbx-run" --changes)$(ls -A "$previews/journals")" ""
cp -a "$ws" "$scratch/result"
rm -rf "${ws:?}"/* "$ws/.git"
is "what was there is there no more" "$(find "$scratch/result" -name moved -o -name d -o -name .sbx\*)" ""

# Discarded.
echo 1 >"$ws/f"
run "${try[@]}" sh -c 'echo 2 >f'
before=$(state "$ws")
sbx --discard "$(id)"
is "what is discarded is gone" "$status $("$SBX/sbx-run" --changes) $(ls "$previews")" "0  journals
turn"
is "... and nothing was changed" "$(state "$ws")" "$before"
run "${try[@]}" sh -c 'cat f >/dev/null; exit 7'
is "without changes nothing is kept, and the status is the command's" "$status $err$(id)" "7 "
run "${try[@]}" sh -c 'touch -d 2001-02-03 f; mkdir passing; rmdir passing'
like "where only a time has changed, that is listed and kept" "$status $err" '^0 .*1 change \(1 changed\), kept as '
is "... as what it is" "$("$SBX/sbx-run" --changes "$(id)")" "  times    f (2 bytes)"
sbx --apply "$(id)"
is "... and made" "$status $(stat -c %y "$ws/f" | cut -c 1-10)" "0 2001-02-03"
sbx --apply 12345678
like "one that is not there" "$status $err" '^125 sbx-run: "12345678": there is no such preview'

# What changed on the host meanwhile is not overwritten.
run "${try[@]}" sh -c 'echo 2 >f; echo g >g'
echo mine >"$ws/f"
sbx --apply "$(id)"
like "a file that changed meanwhile is refused" "$status $err" "^125 sbx-run: \"$ws/f\": it was changed on the host after"
is "... and with it everything" "$(cat "$ws/f")$(ls "$ws")" "minef"
sbx --apply "$(id)" --force
is "--force: all the same" "$status $(cat "$ws/f" "$ws/g")" "0 2
g"
run "${try[@]}" sh -c 'rm -r e; echo h >h'
rm -f "$ws/h"
echo appeared >"$ws/h"
sbx --apply "$(id)"
like "so is one that appeared" "$status $err" "^125 .*$ws/h\": it "
sbx --discard "$(id)"

# The document says it, and several roots.
mkdir "$scratch/more"
run "$SBX/sbx-run" --preview -a never --json -C "$ws" --add-dir "$scratch/more" -- sh -c 'echo a >a; echo b >"$0/b"' "$scratch/more"
is "result.changes" "$(jq -c '.result.changes.list | length' <<<"$out") $(jq -r .result.changes.state <<<"$out")" "2 kept"
ok "the other root is as it was" absent "$scratch/more/b"
sbx --apply "$(id)"
is "both are changed" "$status $(cat "$ws/a" "$scratch/more/b")" "0 a
b"

# While it runs it is listed, and nobody applies it.  A killed one leaves no more.
mkfifo "$scratch/hold"
"${try[@]}" sh -c 'echo x >running; echo ready; cat' <"$scratch/hold" >"$scratch/one" 2>&1 &
one=$!
kill_later "$one"
exec 7>"$scratch/hold"
eventually 10 grep -q ready "$scratch/one"
like "one that runs is listed" "$("$SBX/sbx-run" --changes)" " running "
sbx --apply "$(id)"
like "... and not applied" "$status $err" "^125 .*still runs"
{ kill -KILL "$one" && wait "$one"; } 2>/dev/null
exec 7>&-
kept() { "$SBX/sbx-run" --changes | grep -q " kept "; }
ok "killed: it is kept" eventually 10 kept
ok "... without its effect" absent "$ws/running"
eventually 10 "$SBX/sbx-run" --discard "$(id)"
is "... and can be discarded" "$("$SBX/sbx-run" --changes)" ""

# Other commands see nothing of it.
run "${try[@]}" sh -c 'echo secret >s'
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- sh -c 'ls -A "$0"; echo x >"$0/x"' "$previews"
unlike "previews are not seen inside" "$out" '[0-9a-f]{8}'
HOME=$ws run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- sh -c 'mkdir -p "$0/.local/state/sbx/previews/01234567"' "$ws"
isnt "... and none can be forged in a home that is the workspace" "$status" 0
finish
