#!/bin/bash
# The wraps of macOS and Windows are made by their own programs, found next to
# sbx-wrap, and what they answer is checked.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"

mkdir "$scratch/bin"
cp "$SBX/sbx-wrap" "$scratch/bin/"
mac=$selected' | .sandbox.type = "macos-seatbelt" | .sandbox.backend = "sandbox-exec"'
windows=$selected' | .sandbox.type = "windows-restricted-token" | .sandbox.backend = "restricted-token"'

wrap_as() { # PLATFORM FILTER
	doc "$2" >"$scratch/.in"
	run "$scratch/bin/sbx-wrap" --platform "$1" <"$scratch/.in"
}
sibling() { # NAME, script on stdin
	cat >"$scratch/bin/$1"
	chmod +x "$scratch/bin/$1"
}

# sbx-wrap is static or finds its libraries; a fake sibling is only a script.
for each in "macos sbx-seatbelt $mac" "windows sbx-wintoken $windows"; do
	read -r platform name filter <<<"${each//$'\n'/ }"
	wrap_as "$platform" "$filter"
	is "$platform: without $name it is not available" \
		"$status $(field '"\(.error.exit) \(.exec)"')" "4 4 null"
	like "... and the program is named" "$err" "^sbx-wrap: $name: not found"
done

sibling sbx-seatbelt <<'END'
#!/bin/bash
env | /usr/bin/grep -v -e ^PWD= -e ^SHLVL= -e ^_= >"${0%/*}/seen"
exec /usr/bin/jq -c '.exec.argv = ["/usr/bin/sandbox-exec", "-p", "(version 1)", "--"] + .exec.argv | .policy = "changed"'
END
LD_PRELOAD='' HOSTILE=1 wrap_as macos "$mac"
is "the answer's exec is taken" "$status $(field '.exec.argv | tojson')" \
	'0 ["/usr/bin/sandbox-exec","-p","(version 1)","--","make","test"]'
is "... with the environment and its marker" "$(field .exec.env.CODEX_SANDBOX)" seatbelt
is "... and nothing else of it" "$(field '.policy | type')" object
is "the program gets nothing of our environment" "$(cat "$scratch/bin/seen")" ""

wrong() { # WHAT STATUS PATTERN, script on stdin
	sibling sbx-seatbelt
	wrap_as macos "$mac"
	is "$1: nothing to execute" "$status $(field '"\(.error.exit) \(.exec)"')" "$2 $2 null"
	like "... said" "$err" "$3"
}
wrong "a program that fails" 5 'sbx-seatbelt: no answer' <<<$'#!/bin/bash\n/usr/bin/cat >/dev/null; exit 1'
wrong "a program that answers nonsense" 5 'sbx-seatbelt: no answer: document' \
	<<<$'#!/bin/bash\n/usr/bin/cat >/dev/null; echo hello'
wrong "a program that answers and then fails" 5 'status 9' <<<$'#!/bin/bash\n/usr/bin/cat; exit 9'
wrong "a program that answers without exec" 5 'no exec' <<<$'#!/bin/bash\n/usr/bin/jq -c "del(.exec)"'
wrong "a program that answers with an error" 4 'sbx-seatbelt: no way' <<<'#!/bin/bash
/usr/bin/jq -c ".error = {stage: \"sbx-seatbelt\", code: \"c\", message: \"no way\", exit: 4}"; exit 4'
wrong "a program that does not read" 5 'sbx-seatbelt: ' <<<$'#!/bin/bash\nexec <&-\nexit 1'

wrap_as windows "$selected | .sandbox.type = \"none\""
is "no sandbox needs no program" "$status $(field '.exec.argv | tojson')" '0 ["make","test"]'

finish
