#!/bin/bash
# --apply-patch: every public scenario, byte for byte, and what is said.
. "${0%/*}/lib/lib.sh"
need USERNS
export HOME=$scratch/home
mkdir "$HOME"
scenarios=$TESTS/apply-patch

# fresh NAME: $ws is the input of the scenario
fresh() {
	rm -rf "$ws"
	mkdir "$ws"
	[ ! -d "$scenarios/$1/input" ] || cp -a "$scenarios/$1/input/." "$ws"
}
apply() { run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --apply-patch "$@"; }

total=0
for scenario in "$scenarios"/0*; do
	name=${scenario##*/}
	total=$((total + 1))
	wanted=$scenario/expected
	fresh "$name"
	# All or nothing: what was to be written before the failure is not there.
	case $name in 015_*) mkdir "$scratch/nothing" && wanted=$scratch/nothing ;; esac
	apply "$(cat "$scenario/patch.txt")"
	ok "$name" diff -r "$wanted" "$ws"
	case $name in
	*rejects* | *requires* | *fails* | *failure*) is "... and is refused" "$status" 1 ;;
	*) is "... and succeeds" "$status" 0 ;;
	esac
done
is "as many as there are" "$total" 25

# What is said.
fresh 002_multiple_operations
apply "$(cat "$scenarios/002_multiple_operations/patch.txt")"
is "success, and each file" "$out" "Success. Updated the following files:
A nested/new.txt
M modify.txt
D delete.txt"
fresh 004_move_to_new_directory
apply "$(cat "$scenarios/004_move_to_new_directory/patch.txt")"
like "a move is M and the new name" "$out" '^M renamed/dir/name.txt$'
apply $'*** Begin Patch\n*** End Patch'
is "nothing to do" "$status $err" "1 sbx-run: No files were modified."
run "$SBX/sbx-run" -a never --apply-patch one two
is "wrong use" "$status" 125
for word in "$SBX/sbx-run --codex-run-as-apply-patch" "$scratch/apply_patch"; do
	fresh 001_add_file
	[ -e "$scratch/apply_patch" ] || ln -s "$SBX/sbx-run" "$scratch/apply_patch"
	config=$HOME/.codex
	mkdir -p "$config"
	printf 'sandbox_mode = "workspace-write"\napproval_policy = "never"\n' >"$config/config.toml"
	read -ra words <<<"$word"
	run env -C "$ws" "${words[@]}" "$(cat "$scenarios/001_add_file/patch.txt")"
	is "${words[*]##*/}: the tool by that name" "$status $(cat "$ws/bar.md")" "0 This is a new file"
	rm -f "$ws/bar.md"
	(cd "$ws" && "${words[@]}" <"$scenarios/001_add_file/patch.txt") >"$scratch/.out" 2>"$scratch/.err"
	is "... with the patch on stdin" "$? $(cat "$ws/bar.md")" "0 This is a new file"
	run "${words[@]}" one two
	is "... wrong use" "$status" 2
done
rm -rf "$config"

# Forgiven, and kept.
fresh 003_multiple_chunks
apply "$(printf "<<'EOF'\n%s\nEOF\n" "$(cat "$scenarios/003_multiple_chunks/patch.txt")")"
ok "a here-document around it" diff -r "$scenarios/003_multiple_chunks/expected" "$ws"
fresh 003_multiple_chunks
apply "$(sed 's/$/\r/' "$scenarios/003_multiple_chunks/patch.txt")"
ok "a patch with CRLF" diff -r "$scenarios/003_multiple_chunks/expected" "$ws"
update() { printf '*** Begin Patch\n*** Update File: f\n%s\n*** End Patch\n' "$1"; }
# changed DESCRIPTION CONTENT CHANGE WANTED
changed() {
	# shellcheck disable=SC2059
	printf "$2" >"$ws/f"
	# shellcheck disable=SC2059
	apply "$(update "$(printf "$3")")"
	# shellcheck disable=SC2059
	printf "$4" >"$scratch/wanted"
	ok "$1" cmp "$ws/f" "$scratch/wanted"
}
changed "blanks at the end of a line" 'a  \nb\n' '@@\n a\n-b\n+c' 'a  \nc\n'
changed "blanks around a line" '\tif a:\nb\n' '@@\n if a:\n-b\n+c' '\tif a:\nc\n'
changed "typographic dashes, quotes and blanks" 'it\xe2\x80\x99s \xe2\x80\x93 x\xc2\xa0y\nb\n' "@@\n it's - x y\n-b\n+c" 'it\xe2\x80\x99s \xe2\x80\x93 x\xc2\xa0y\nc\n'
changed "from the end first" 'a\nb\na\n' '@@\n-a\n+z\n*** End of File' 'a\nb\nz\n'
changed "after a context" 'x\nf\nx\n' '@@ f\n-x\n+y' 'x\nf\ny\n'
changed "CR alone" 'a\rb\rc\r' '@@\n-b\n+B' 'a\rB\rc\r'
changed "an empty line of the patch" 'a\n\nb\n' '@@\n a\n\n-b\n+c' 'a\n\nc\n'
changed "two changes of the same words" 'a\na\n' '@@\n-a\n+b\n@@\n-a\n+c' 'b\nc\n'
chmod 750 "$ws/f"
changed "(its mode)" 'a\n' '@@\n-a\n+b' 'b\n'
is "a mode is kept" "$(stat -c %a "$ws/f")" 750
apply $'*** Begin Patch\n*** Update File: f\n*** Move to: d/g\n*** End Patch'
is "a move alone, with its mode" "$(stat -c '%a %n' "$ws"/*/*)" "750 $ws/d/g"
apply $'*** Begin Patch\n*** Add File: n\n+1\n*** Update File: n\n@@\n-1\n+2\n*** Delete File: d/g\n*** End Patch'
is "one file twice" "$(cat "$ws/n")" 2

# The document.
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json --apply-patch $'*** Begin Patch\n*** Add File: j\n+1\n*** End Patch'
is "a result like any other" "$(jq -c '[.command.tool, .command.files, .approval.key, .result.exit_code, .result.stdout]' "$scratch/.out")" \
	"[\"patch\",[\"$ws/j\"],\"patch:$ws/j\",0,\"Success. Updated the following files:\\nA j\\n\"]"
run "$SBX/sbx-policy" -s workspace-write -a never -C "$ws" --tool patch --file a --file "$ws/b" -- apply_patch x
is "sbx-policy --tool patch" "$(jq -c '[.command.tool, .command.files]' "$scratch/.out")" "[\"patch\",[\"a\",\"$ws/b\"]]"
printf '*** Begin Patch\n*** Add File: p\n+1\n*** End Patch\n' >"$scratch/p"
"$SBX/sbx-policy" -s workspace-write -a never -C "$ws" --tool patch --patch "$scratch/p" -- apply_patch |
	"$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap" | "$SBX/sbx-run" --exec >"$scratch/.out"
is "the stages one by one" "$? $(cat "$ws/p")" "0 1"
run "$SBX/sbx-policy" --tool patch -- x
is "a patch without files" "$status" 2
mkdir -p "$HOME/.codex"
printf '[permissions.x.filesystem]\n":workspace_roots" = "write"\n' >"$HOME/.codex/config.toml"
run "$SBX/sbx-run" -P x -a never -C "$ws" --apply-patch $'*** Begin Patch\n*** Update File: p\n@@\n-1\n+2\n*** End Patch'
is "where nothing but the workspace can be read" "$status $(cat "$ws/p")" "0 2"
run "$SBX/sbx-run" -s read-only -a never -C "$ws" --apply-patch $'*** Begin Patch\n*** Update File: p\n@@\n-2\n+3\n*** End Patch'
is "not where nothing can be written" "$status $(cat "$ws/p")" "126 2"
run "$SBX/sbx-run" -s danger-full-access -a never -C "$ws" --apply-patch $'*** Begin Patch\n*** Update File: p\n@@\n-2\n+3\n*** End Patch'
is "with full access" "$status $(cat "$ws/p")" "0 3"
run "$SBX/sbx-run" -s workspace-write -a on-request -C "$ws" --apply-patch "$(cat "$scratch/p")"
is "nobody to ask" "$status" 126
finish
