#!/bin/bash
# Every command in README and in the pages of share/doc runs, as it is written: the
# words in front of the remark, in a project and with tools made for it.  What does
# not run here is in a list, with the reason; 8100 judges the numbered examples by their effect.
. "${0%/*}/lib/lib.sh"
need USERNS
export HOME=$scratch/home PATH=$scratch/home/bin:$SBX:$PATH XDG_RUNTIME_DIR=$scratch/run
mkdir -m 700 "$XDG_RUNTIME_DIR"
unset XDG_CONFIG_HOME MAKEFLAGS MAKELEVEL
cd "$ROOT" || exit 1
pages=(README)
for page in share/doc/*; do [[ $page = *.svg ]] || pages+=("$page"); done
project=$HOME/project

# command | status, or "not": why
table() {
	cat <<'END'
sbx-policy --auto --check-path write src/main.c .git/config|1
sbx-policy --diff :read-only review|1
sbx-policy --diff :workspace review|1
sbx-run -a never -P make -- make all|not: a part of example 3
sbx-run --auto --learn-file learned.toml -- make all|not: a part of example 3
sbx-policy --auto -- make test ||not: one half of a pipe; example 2 has both
sbx-run --auto -- COMMAND|not: COMMAND stands for one
sbx-policy --check-path write src/main.c docs/notes|1
sbx-policy --check-path write src/main.c|1
sbx-run -s workspace-write -a on-request --approver ~/bin/ask -- make all|not: a part of example 9
sbx-approve --inbox|not: waits for keys; 5072 sits at it
sbx-wrap --platform oci | kubernetes | systemd|not: three commands; 2330, 2335 and 2340 have each
sbx-policy | sbx-approve | sbx-select | sbx-wrap | sbx-run --exec|not: names the stages; example 2 of README runs them
sbx-wintoken --plan <document >plan.json|not: needs a document for Windows; 7000 has them
sbx-wintoken.exe --plan-file plan.json -- cmd /c build.cmd|not: runs on Windows
sbx-wintoken.exe --audit|not: runs on Windows
END
}
wanted() { table | awk -F '|' -v c="$1" 'index($0, c "|") == 1 { print substr($0, length(c) + 2); found = 1 } END { if (!found) print 0 }' | tail -n 1; }

# The commands of a page: lines in four blanks; a remark stands behind three, a backslash
# goes on; without a program's name alone and what only a text around it explains.
commands() {
	sed -n 's/^    //p' "$ROOT/$1" | sed -e ':a' -e '/\\$/{N;s/\\\n */ /;ta' -e '}' |
		grep -E '^(sbx-[a-z.]+|eval "\$\(sbx-)' | grep -vE '^sbx-(run|approve|policy): |^sbx-run COMMAND' | sed -E 's/ {3,}.*//; s/  +#.*//; s/ \[PATH(\.\.\.)?\]$//' |
		grep -vxE 'sbx-[a-z]+' | sort -u
}

fresh() {
	cd / && remove "$HOME"
	mkdir -p "$project/src" "$project/docs" "$HOME/bin" "$HOME/.codex" "$HOME/.npm" "$HOME/notes"
	echo 'int main;' >"$project/src/main.c"
	printf '%s:\n\t@true\n' all test fetch deploy review format >"$project/Makefile"
	printf '[permissions.review]\nextends = ":read-only"\n[permissions.review.filesystem]\n"~/notes" = "write"\n' >"$HOME/.codex/config.toml"
	printf 'deny write .git/hooks/pre-commit\n' >"$project/policy.assertions"
	for tool in npm pytest agent; do printf '#!/bin/sh\nexit 0\n' >"$HOME/bin/$tool"; done
	# shellcheck disable=SC2016
	printf '#!/bin/sh\ncat >/dev/null\necho %s\n' "'{\"decision\":\"approved\"}'" | tee "$HOME/bin/ask" >"$HOME/bin/ask-me"
	printf '#!/bin/sh\nexit 0\n' >"$project/codemod.sh"
	chmod 755 "$HOME"/bin/* "$project/codemod.sh"
	cd "$project" || exit 1
	git -c init.defaultBranch=main init -q .
	git config user.name sbx && git config user.email sbx@example.org
	git add . && git commit -qm one && echo changed >>src/main.c
}

ran_here=0
for page in "${pages[@]}"; do
	while IFS= read -r command; do
		want=$(wanted "$command")
		case $want in
		not:*) skip "$page: $command" "${want#not: }" && continue ;;
		esac
		fresh
		ran=$command
		: >"$scratch/command"
		case $command in *'$SBX_SESSION'* | *'--list') printf 'eval "$(sbx-approve --serve --approver %q)"\n' "$HOME/bin/ask" >"$scratch/command" ;; esac
		# One that is kept, because nobody is there to ask.
		case $command in *' ID'*)
			sbx-run --auto --preview -- sh -c 'echo new >new' >/dev/null 2>&1
			command=${command/ ID/ $(sbx-run --changes | cut -d ' ' -f 1)} ;;
		esac
		printf '%s\n' "$command" >>"$scratch/command"
		bash -c '. "$1"' - "$scratch/command" >"$scratch/.out" 2>"$scratch/.err" 3>/dev/null
		status=$?
		ran_here=$((ran_here + 1))
		if [ "$status" = "$want" ]; then
			pass "$page: $command"
		else
			fail "$page: $command" "status $status, wanted $want" "$(head -c 500 "$scratch/.err")"
		fi
	done < <(commands "$page")
done
# Those that have none say what each is about, and no more.
for page in "${pages[@]}"; do
	case $page in */glossary | */threats | */migration) want=none ;; *) want=some ;; esac
	is "$page: $want" "$([ -n "$(commands "$page")" ] && echo some || echo none)" "$want"
done
ok "control: there were commands ($ran_here)" test "$ran_here" -ge 25
finish
