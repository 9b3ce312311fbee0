#!/bin/bash
# The ten examples of README do what README says, as they are written there:
# each is taken out of the file, run in a home and a project made for it, and
# judged by its effect.
. "${0%/*}/lib/lib.sh"
need USERNS
readme=$ROOT/README
export HOME=$scratch/home PATH=$SBX:$PATH
export XDG_RUNTIME_DIR=$scratch/run
mkdir -m 700 "$XDG_RUNTIME_DIR"
unset XDG_CONFIG_HOME MAKEFLAGS MAKELEVEL
project=$HOME/project

# example N [BLOCK]: the indented lines after "Example N:", without their indent.
# An example has several blocks when unindented text is between them.
example() {
	awk -v wanted="$1" -v block="${2:-1}" '
		/^Example [0-9]+:/ { in_it = $2 == wanted ":"; seen = 0; open = 0 }
		/^## / { in_it = 0 }
		in_it && /^    / { if (!open) { open = 1; seen++ } if (seen == block) print substr($0, 5) }
		in_it && /^[^ ]/ { open = 0 }
	' "$readme"
}

# A home, and a project with a Makefile and a history.
fresh() {
	cd / && remove "$HOME"
	mkdir -p "$project/src" "$HOME/bin" "$HOME/cache" "$HOME/.codex" "$project/docs"
	rm -f "$scratch/asked"
	echo 'int main;' >"$project/src/main.c"
	# shellcheck disable=SC2016
	printf '%s:\n\t@%s\n' test 'echo tested >result; echo spoilt 2>/dev/null >$(HOME)/spoilt || true' \
		all 'echo built >$(HOME)/cache/object' review 'echo "reviewed by $$(id -u)"' >"$project/Makefile"
	cd "$project" || exit 1
}

# run_example N [BLOCK]: in a fresh place, by a shell that stops at a failure
run_example() {
	example "$@" >"$scratch/example"
	ran="example $*: $(cat "$scratch/example")"
	bash -eo pipefail "$scratch/example" >"$scratch/.out" 2>"$scratch/.err"
	status=$?
	out=$(cat "$scratch/.out")
}

is "there are ten, in order" "$(grep -oE '^Example [0-9]+:' "$readme" | tr -dc '0-9\n' | xargs)" "1 2 3 4 5 6 7 8 9 10"
fresh
make -s test
is "control: without a sandbox the test spoils the home" "$(cat result "$HOME/spoilt")" "tested
spoilt"

# spares N: the test ran, and the home is as it was
spares() {
	is "example $1: runs" "$status $(cat "$project/result" 2>/dev/null)" "0 tested"
	ok "example $1: in the sandbox" absent "$HOME/spoilt"
}

for n in 1 2 7; do
	fresh
	run_example $n
	spares $n
done

# 6: the job's lines, as whoever runs jobs would take them out of the file
fresh
example 6 2 >policy.assertions
is "example 6: four assertions" "$(grep -cE '^(allow|deny) ' policy.assertions)" 4
example 6 | sed -n 's/^    - //p' >"$scratch/job"
is "example 6: two steps" "$(wc -l <"$scratch/job")" 2
run bash -e "$scratch/job"
spares 6
if have NOTIFY; then
	is "example 6: what was denied is kept" "$(jq -r 'select(.event == "denial").path' denials.json)" "$HOME/spoilt"
else
	skip "example 6: what was denied is kept" "this kernel does not observe"
fi
printf 'sandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nnetwork_access = true\nwritable_roots = ["%s"]\n' \
	"$HOME" >"$HOME/.codex/config.toml"
run bash -e "$scratch/job"
isnt "example 6: a configuration that opens too much fails the job" "$status" 0

# 5: three commits of five are bad, from the third on
fresh
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git -c init.defaultBranch=main init -q .
git config user.name sbx && git config user.email sbx@example.org
for commit in 1 2 3 4 5; do
	[ "$commit" -lt 3 ] || printf 'test:\n\t@touch %s/spoilt; test -e good\n' "$HOME" >Makefile
	[ "$commit" -gt 2 ] || printf 'test:\n\t@touch %s/spoilt; true\n' "$HOME" >Makefile
	echo "$commit" >number
	git add . && git commit -qm "commit $commit"
	[ "$commit" != 1 ] || git tag v1
done
run_example 5
is "example 5: finds the commit" "$status $(grep -c 'is the first bad commit' "$scratch/.out") $(git log -1 --format=%s bisect/bad)" \
	"0 1 commit 3"
ok "example 5: in the sandbox" absent "$HOME/spoilt"
unset GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM

# 8: the file is read as a client would read it; the server answers, and holds
fresh
echo hello >docs/page
cat >"$HOME/bin/mcp-files" <<'END'
#!/bin/sh
read -r request
echo stolen 2>/dev/null >made
case $request in *initialize*) printf '{"jsonrpc":"2.0","id":1,"result":{"text":"%s"}}\n' "$(cat "$1/page")" ;; esac
END
chmod 755 "$HOME/bin/mcp-files"
request='{"jsonrpc":"2.0","id":1,"method":"initialize"}'
(cd "$project" && "$HOME/bin/mcp-files" docs <<<"$request" >/dev/null)
ok "control: the server writes" test -s "$project/made"
rm -f "$project/made"
example 8 >config.json
ok "example 8: is JSON" jq -e .mcpServers.files config.json
mapfile -t server < <(jq -r '.mcpServers.files | .command, .args[]' config.json)
run env PATH="$HOME/bin:$PATH" "${server[@]}" <<<"$request"
is "example 8: the server answers" "$status $(jq -r .result.text <<<"$out")" "0 hello"
ok "example 8: in the sandbox" absent "$project/made"
mapfile -t server < <(jq -r '.mcpServers.shell | .command, .args[]' config.json)
call='{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"command":"make test; touch ../made"}}}'
talk() {
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}' \
		'{"jsonrpc":"2.0","method":"notifications/initialized"}' "$call"
	eventually 20 grep -q '"id":2' "$scratch/heard"
}
: >"$scratch/heard"
talk | "${server[@]}" >"$scratch/heard"
is "example 8: a command of the other server" "$(jq -c 'select(.id == 2).result.structuredContent | [.outcome, .exit_code, .denied]' "$scratch/heard")" '["exited",1,true]'
is "example 8: that one as well" "$(cat result) $(ls "$HOME/made" 2>/dev/null)" "tested "

# 9: an approver of ten lines
if have NOTIFY; then
	fresh
	run_example 9
	is "example 9: the cache is given" "$status $(cat "$HOME/cache/object")" "0 built"
	ok "example 9: by ten lines" test "$(wc -l <"$HOME/bin/ask")" -le 10
	printf 'all:\n\t@echo built >$(HOME)/other\n' >Makefile
	sed -n '$p' "$scratch/example" >"$scratch/again"
	run bash "$scratch/again"
	isnt "example 9: anything else is not" "$status" 0
	ok "example 9: and does not happen" absent "$HOME/other"
	fresh
	example 9 | sed '$d' >"$scratch/part" && run bash -e "$scratch/part"
	run sbx-run --full-auto -- make all
	ok "control: without the approver neither is the cache" absent "$HOME/cache/object"

	# 3: the first run fails, and is learned from
	fresh
	example 3 | sed -n 1p >"$scratch/first"
	run bash "$scratch/first"
	isnt "example 3: the first run is denied something" "$status" 0
	example 3 | sed -n '2,$p' >"$scratch/rest"
	run bash -e "$scratch/rest"
	is "example 3: what was learned is enough" "$status $(cat "$HOME/cache/object")" "0 built"
	run sbx-run -a never -P make -- sh -c 'echo x >"$HOME/other"'
	ok "example 3: and not for more" absent "$HOME/other"
else
	skip "examples 9 and 3" "this kernel does not observe"
fi

# 10: who is asked, by whom, and what is remembered
fresh
cat >"$HOME/bin/ask-me" <<END
#!/bin/sh
cat >>$scratch/asked
echo '{"decision":"approved_for_session"}'
END
chmod 755 "$HOME/bin/ask-me"
run_example 10
is "example 10: approved by the first session" "$status $(head -n 1 <<<"$out")" "0 reviewed by $(id -u)"
is "example 10: which was told who asks" "$(jq -r .source "$scratch/asked")" subagent:review
is "example 10: and keeps it" "$(sed 1d <<<"$out" | jq -r .key)" "exec:make review"
sed 's/-s read-only -- make/-s workspace-write -- make/' "$scratch/example" >"$scratch/wider"
run bash -e "$scratch/wider"
is "example 10: the subagent gets no more than its session" "$status" 126

# What README shows is what a person sees: at 80 columns, in the home of this test.
if have NOTIFY; then
	. "$TESTS/lib/screen.sh"
	shown() { awk -v first="    sbx-run: $1" '$0 == first { on = 1 } !/^    ./ { on = 0 } on { print substr($0, 5) }' "$readme"; }
	seen() { sed -E "s#$HOME#/home/me#g; s/ +\$//" <<<"$rows" | sed -n "/^sbx-run: $1\$/,\$p"; }
	export TERM=dumb
	fresh
	at_screen 80 '' sbx-run --auto -- make all
	is "the report in README" "$(seen 'denied 1 access:')" "$(shown 'denied 1 access:')"
	at_screen 80 n sbx-run -s workspace-write -a on-request -- make all
	is "the question in README" "$(seen 'may this run again[?]' | sed '/abort/q' | sed 's/abort n$/abort/')" "$(shown 'may this run again?')"
else
	skip "what README shows" "this kernel does not observe"
fi

# 4: what is allowed, and why
fresh
run_example 4
is "example 4: the last path is not allowed" "$status" 1
like "example 4: the workspace, by the option" "$out" "$project +write +workspace"
like "example 4: the option" "$out" "^sandbox +workspace-write +flag --full-auto"
is "example 4: a verdict for each path" "$(grep '^{' <<<"$out" | jq -r '"\(.path) \(.allowed)"')" "src/main.c true
.git/config false"
finish
