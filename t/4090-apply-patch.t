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
run "$SBX/sbx-run" -a never --apply-patch </dev/null
is "no patch" "$status $err" "125 sbx-run: expected a patch, as an operand or on stdin"
ln -s "$SBX/sbx-run" "$scratch/apply_patch"
ln -s "$SBX/sbx-run" "$scratch/applypatch"
for word in "$SBX/sbx-run --codex-run-as-apply-patch" "$scratch/apply_patch" "$scratch/applypatch"; do
	fresh 001_add_file
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
	run "${words[@]}" </dev/null
	is "... no patch" "$status" 2
	rm -f "$ws/bar.md"
	run env -C "$ws" "${words[@]}" --preserve-crlf "$(cat "$scenarios/001_add_file/patch.txt")"
	is "... line ends are kept, asked or not" "$status $(cat "$ws/bar.md")" "0 This is a new file"
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
changed "the first line end is that of new lines" 'a\r\nb\nc\nd\n' '@@\n-c\n+C' 'a\r\nb\nC\r\nd\n'
changed "a context in a context" 'x\nf\nx\ny\nf\nx\n' '@@ y\n@@ f\n-x\n+z' 'x\nf\nx\ny\nf\nz\n'
changed "a line that looks like a marker" 'a\n*** End Patch\n' '@@\n-a\n+b\n *** End Patch\n*** End of File' 'b\n*** End Patch\n'
changed "after a context" 'x\nf\nx\n' '@@ f\n-x\n+y' 'x\nf\ny\n'
changed "CR alone" 'a\rb\rc\r' '@@\n-b\n+B' 'a\rB\rc\r'
changed "an empty line of the patch" 'a\n\nb\n' '@@\n a\n\n-b\n+c' 'a\n\nc\n'
changed "two changes of the same words" 'a\na\n' '@@\n-a\n+b\n@@\n-a\n+c' 'b\nc\n'
changed "an addition at the end, after a change of the end" 'a\n\n' '@@\n a\n \n+b\n@@\n+c' 'a\n\nb\nc\n'
chmod 750 "$ws/f"
changed "(its mode)" 'a\n' '@@\n-a\n+b' 'b\n'
is "a mode is kept" "$(stat -c %a "$ws/f")" 750
# attributes WORD FILE NAME [WORDS]: of a file, in hexadecimal
attributes() {
	/usr/bin/python3 -c 'import os, sys
what, path, name = sys.argv[1:4]
if what == "set": os.setxattr(path, name, bytes.fromhex(sys.argv[4]))
elif name in os.listxattr(path): print(os.getxattr(path, name).hex())' "$@"
}
# Another user reads, though the group does not.
list=0200000001000600ffffffff02000400feff000004000000ffffffff10000600ffffffff20000000ffffffff
if attributes set "$ws/f" system.posix_acl_access "$list" 2>"$scratch/why"; then
	mode=$(stat -c %a "$ws/f")
	changed "(its list of access)" 'a\n' '@@\n-a\n+b' 'b\n'
	is "a list of access is kept" "$(stat -c %a "$ws/f") $(attributes get "$ws/f" system.posix_acl_access)" "$mode $list"
	attributes set "$ws/f" user.note 6869
	changed "(an attribute)" 'a\n' '@@\n-a\n+b' 'b\n'
	is "an attribute of the user is kept" "$(attributes get "$ws/f" user.note)" 6869
	mkdir "$ws/given"
	echo a >"$ws/given/g"
	attributes set "$ws/given" system.posix_acl_default "$list"
	apply $'*** Begin Patch\n*** Update File: given/g\n@@\n-a\n+b\n*** Add File: given/h\n+h\n*** End Patch'
	is "nobody is let in by what the directory gives to new files" "$status $(attributes get "$ws/given/g" system.posix_acl_access)" "0 "
	isnt "control: a new file gets it" "$(attributes get "$ws/given/h" system.posix_acl_access)" ""
	rm -r "$ws/given"
	rm "$ws/f"
	echo b >"$ws/f"
	chmod 750 "$ws/f"
else
	skip "lists of access" "$(tail -n 1 "$scratch/why")"
fi
apply $'*** Begin Patch\n*** Update File: f\n*** Move to: d/g\n*** End Patch'
is "a move alone, with its mode" "$(stat -c '%a %n' "$ws"/*/*)" "750 $ws/d/g"
apply $'*** Begin Patch\n*** Add File: n\n+1\n*** Update File: n\n@@\n-1\n+2\n*** Delete File: d/g\n*** End Patch'
is "one file twice" "$(cat "$ws/n")" 2

apply $'*** Begin Patch\n*** Environment ID: remote\n*** Update File: n\n@@\n-2\n+3\n*** End Patch'
is "the environment was chosen by who calls" "$status $(cat "$ws/n")" "0 3"
# refused_patch DESCRIPTION LINE WORDS: nothing is changed, and the line is named
refused_patch() {
	apply $'*** Begin Patch\n'"$2"$'\n*** End Patch'
	like "$1: ${2//$'\n'/|}" "$status $(cat "$ws/n") $err" "^1 3 sbx-run: the patch, line $3"
}
refused_patch "an environment without a name" '*** Environment ID: ' '2: .*environment'
refused_patch "two environments" $'*** Environment ID: a\n*** Environment ID: b\n*** Update File: n\n@@\n-3\n+4' '3: '
refused_patch "an environment after a file" $'*** Update File: n\n@@\n-3\n+4\n*** Environment ID: a' '6: '
refused_patch "a context alone" $'*** Update File: n\n@@ 3' '3: a change without lines'
refused_patch "a context alone, after a change" $'*** Update File: n\n@@\n-3\n+4\n@@ 3' '6: a change without lines'
refused_patch "nothing before the end of the file" $'*** Update File: n\n@@ 3\n*** End of File' '4: a change without lines'
refused_patch "a line of an added file without its mark" $'*** Add File: m\nx' '3: '
refused_patch "an empty one" $'*** Add File: m\n+x\n\n+y' '4: '
refused_patch "a line after a deletion" $'*** Delete File: n\nx' '3: '

for name in d/ d// f// ./ f/. d/../f .. ''; do
	apply $'*** Begin Patch\n*** Add File: '"$name"$'\n+1\n*** End Patch'
	is "no name of a file: \"$name\"" "$status" 1
done

# Ended when everything had been asked for: it is applied, and that is said.
for option in '--limit files=1' '--timeout 1ms' '--timeout 30ms'; do
	read -ra words <<<"$option"
	rm -f "$ws/late"
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" "${words[@]}" --apply-patch $'*** Begin Patch\n*** Add File: late\n+1\n*** End Patch'
	is "$option: what is applied is said to be" "$([ -e "$ws/late" ] && [ "$status" != 0 ] && echo said)" "$(grep -q 'applied all the same' <<<"$err" && echo said)"
	[ "$option" != '--limit files=1' ] || is "control: it is" "$status $(cat "$ws/late")" "153 1"
done

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
