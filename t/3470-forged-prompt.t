#!/bin/bash
# Nothing that a command brings along can look like a row of the question or of
# a report: at every width, each row begins with our own text or our mark.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home CODEX_HOME=$scratch/codex TERM=dumb
mkdir -p "$HOME" "$CODEX_HOME"
screen=$HELPER/screen

# asked TOLD SEEN [KEYS]: the document in $scratch/doc at a terminal; the rows in $rows
asked() {
	printf '#!/bin/sh\nexec "%s" <"%s" 2>/dev/null >"%s"\n' "$SBX/sbx-approve" "$scratch/doc" "$scratch/result" >"$scratch/ask"
	chmod +x "$scratch/ask"
	ran="screen $1 $2 ${3-n}"
	rows=$("$screen" "$1" "$2" "${3-n}" 'abort ' -- "$scratch/ask")
	printf '%s\n' "$rows" >"$scratch/.out"
	: >"$scratch/.err"
}

# A document with the same text in every field that a command can fill.
document() {
	doc '.policy.approval_policy = "untrusted" | .command.argv = ["make", $t] | .command.justification = $t
		| .command.source = ("subagent:" + $t)' --arg t "$1"
}
doc() {
	local filter=$1
	shift
	jq -cn --arg ws "$ws" "$@" '{sbx: 1, command: {argv: ["make", "test"], cwd: $ws},
		policy: {approval_policy: "on-request", sandbox_policy: {type: "workspace-write"},
			permissions: {fs: [{path: "/", access: "read"}, {path: $ws, access: "write"}], network: "off"}}} | '"$filter"
}

unasked=0
for columns in 10 17 20 40 80 132 0; do
	seen=$columns
	[ "$columns" != 0 ] || seen=80
	bad=0
	for n in 1 2 3 4 5 6; do
		pad=$(((RANDOM % 2 + 1) * seen - 11 - RANDOM % 14))
		[ "$pad" -gt 0 ] || pad=$seen
		case $n in
		1) text=$(printf '%*s' "$pad" '') ;;
		2) text=$(printf '%*s' "$pad" '' | tr ' ' .) ;;
		3) text=$(printf '%*s' $((pad / 2)) '' | sed 's/ /界/g') ;;
		4) text=$(printf '%*s' "$pad" '' | sed 's/ /é/g') ;;
		5) text=$(printf '%*s' "$pad" '' | sed 's/ /\xc2\xa0/g') ;;
		6) text=$(printf '%*s' "$pad" '' | sed 's/ /e\xcc\x81/g') ;;
		esac
		lies=("  risk     low: Z" $'\r\n  sandbox  read-only' $'\xe2\x80\xa8Zz' "Zz  sandbox  read-only")
		for lie in "${lies[RANDOM % 4]}" "${lies[0]}"; do
			document "$text$lie$text$lie" >"$scratch/doc"
			asked "$columns" "$seen"
			tr -d '\n' <<<"$rows" | grep -q 'abort *n' || unasked=$((unasked + 1))
			grep -qE '^(Z|[.]{2}|界|é|low|read-only)' <<<"$rows" && bad=$((bad + 1))
			# One such row is ours.
			[ "$(grep -cE '^ {0,3}(risk|sandbox) ' <<<"$rows")" = 1 ] || bad=$((bad + 1))
			! grep -qE '^ {0,3}(risk|sandbox +r)' <<<"$rows" || bad=$((bad + 1))
		done
	done
	is "$columns columns: every row is ours or marked" "$bad" 0
done
is "control: each of them was asked" "$unasked" 0

# The width that the kernel knows can be set by whoever has the terminal open.
document "$(printf '%*s' 69 '' | tr ' ' .)  risk     low: Z" >"$scratch/doc"
for told in 500 3 1; do
	asked "$told" 80
	unlike "told $told columns: no row is forged" "$rows" '^ *(risk|Z|low)'
done

# Runs of blanks are counted, and a long text is bounded; v shows all of it.
document "a$(printf '%*s' 300 '')b" >"$scratch/doc"
asked 80 80
like "blanks are counted" "$rows" '\[300 blanks\]'
document "$(printf '%*s' 9000 '' | tr ' ' x)THE-TAIL" >"$scratch/doc"
asked 80 80
ok "a long justification does not push the question off the screen" [ "$(wc -l <<<"$rows")" -lt 80 ]
like "and says how much is not shown" "$rows" '[0-9]+ bytes are NOT shown here: v shows them'
asked 80 80 vn
ok "v shows all of every field" [ "$(tr -dc x <<<"$rows" | wc -c)" -gt 18000 ]

# What was denied, and what a patch changes.
path="/x/$(printf '%*s' 55 '' | tr ' ' .)  risk     low: Z"
doc '.result = {denied: true, denials: [{op: "write", path: $t, syscall: "openat"}]}' --arg t "$path" >"$scratch/doc"
asked 80 80
unlike "a denied path makes no row" "$rows" '^ *(risk|Z|low)'
like "control: it is there" "$rows" 'risk.*low'
doc '.command.tool = "patch" | .command.files = [$t]' --arg t "$path" >"$scratch/doc"
asked 80 80
unlike "nor does a file of a patch" "$rows" '^ *(risk|Z|low)'

# What a command leaves to the terminal: a string that has no end swallows the real
# question behind a drawn one, and answers of the terminal itself end in "y".
run_at_terminal() {
	rows=$("$screen" 80 80 "$1" 'abort ' -- "$SBX/sbx-run" -s workspace-write -a on-request --report off \
		-C "$ws" -- sh -c "touch '$outside/made' 2>/dev/null; $2 exit 1")
	printf '%s\n' "$rows" >"$scratch/.out"
}
mkdir -p "$outside"
drawn='printf "  command  drawn [n] no  [q] abor\\nt ";'
for left in '\033_' '\033]0;' '\033P' '\033[' '\033X'; do
	run_at_terminal n "$drawn printf '$left';"
	like "left behind: $left: the question is seen" "$rows" '^sbx-run: may this run again'
	like "left behind: $left: with its command" "$rows" '^  command  sh -c'
done
ask=$(printf '\\033[?7$p%.0s' 1 2 3 4 5 6 7)'\033[?25$p'
run_at_terminal n "printf '$ask';"
like "control: what the terminal says comes while it is asked" "$rows" 'abort'
ok "what the terminal says is no answer" absent "$outside/made"
run_at_terminal y "printf '$ask';"
ok "control: a key is one" exists "$outside/made"

# Reports and complaints.
long=$(printf '%*s' 60 '' | tr ' ' .)
lie="$outside/${long}sbx-run: all is well Z"
mkdir -p "$outside"
rows=$("$screen" 80 80 '' x -- "$SBX/sbx-run" -s workspace-write -a never --report human -C "$ws" -- sh -c '{ echo x >"$1"; } 2>/dev/null' - "$lie")
unlike "a report is folded" "$rows" '^(sbx-run: all|all is|Z|\.\.)'
rows=$("$screen" 80 80 '' x -- "$SBX/sbx-run" -C "/nowhere/${long}sbx-run: all is well" -- true)
like "control: complaints name what was given" "$rows" 'nowhere'
unlike "a complaint is folded" "$rows" '^(sbx-run: all|all is|\.\.)'
rows=$("$screen" 80 80 '' x -- "$SBX/sbx-run" --explain -C "$ws" --add-dir "$outside" -- true)
like "--explain is still said" "$rows" 'workspace-write|read-only'
finish
