#!/bin/bash
# Completions offer exactly the options of --help, in bash, zsh and fish, and
# what is offered fits where the cursor is.
. "${0%/*}/lib/lib.sh"
completions=$BUILD/completions
[ -d "$completions" ] || skip_all "no completions in this build"
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home
mkdir "$HOME"

# Every way to write an option, one per line.
in_help() {
	"$SBX/$1" --help | sed -nE 's/^  (-(.), |    )--([a-z-]+).*$/--\3 \2/p' |
		sed -E 's/ $//; s/ (.)$/ -\1/' | tr ' ' '\n' | sort
}

# offered LINE: what bash offers at the end of the line, in a shell of its own.
# It splits words as readline does: at blanks, and each = and : alone.
cat >"$scratch/complete.bash" <<'END'
shopt -s extglob
. "$1"
COMP_LINE=$2
COMP_POINT=${#2}
rest=$2
COMP_WORDS=()
while [[ $rest ]]; do
	rest=${rest##+([[:blank:]])}
	[[ $rest ]] || break
	case $rest in
	[=:]*) word=${rest%%[!=:]*} ;;
	*) word=${rest%%[[:blank:]=:]*} ;;
	esac
	COMP_WORDS+=("$word")
	rest=${rest#"$word"}
done
case $2 in *[[:blank:]]) COMP_WORDS+=('') ;; esac
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
how=($(complete -p "${COMP_WORDS[0]}"))
"${how[2]}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}"
printf '%s\n' "${COMPREPLY[@]}"
END
offered() { bash --norc --noprofile "$scratch/complete.bash" "$completions/bash/${1%% *}" "$1" 2>&1 | sort; }
offers() { is "bash: $1" "$(offered "$1" | xargs)" "$2"; }

for file in "$SBX"/sbx-*; do
	name=${file##*/}
	wanted=$(in_help "$name")
	isnt "control: $name has options" "$wanted" ""
	is "bash: options of $name" "$(offered "$name -")" "$wanted"
	if have PROGRAM zsh; then
		ok "zsh: $name is correct" zsh -n "$completions/zsh/_$name"
		is "zsh: for $name" "$(head -n 1 "$completions/zsh/_$name")" "#compdef $name"
		# What reaches _arguments.
		run zsh -f -c '_arguments() { print -rl -- "$@" }; . "$1"' zsh "$completions/zsh/_$name"
		is "zsh: options of $name" "$(sed -nE 's/^\*(-[a-zA-Z]|--[a-z-]+)[+=]?\[.*/\1/p' <<<"$out" | sort)" "$wanted"
		is "zsh: and nothing else of $name" "$(grep -vE '^\*--?[a-zA-Z-]+[+=]?\[[^:]*\]|^-[sS]$|^(\(-\)|\*:?)?:' <<<"${out//\\:/}")" ""
	else
		skip "zsh: $name" "no zsh here"
	fi
	if have PROGRAM fish; then
		ok "fish: $name is correct" fish -n "$completions/fish/$name.fish"
		# fish itself is asked what it offers; long and short ones separately.
		run fish --no-config -c 'source $argv[1]; complete -C "$argv[2] -"; complete -C "$argv[2] --"' \
			"$completions/fish/$name.fish" "$name"
		is "fish: options of $name" "$(cut -f 1 <<<"$out" | sed 's/=$//' | grep -- '^-' | sort -u)" "$wanted"
	else
		skip "fish: $name" "no fish here"
	fi
done

# Values.
modes="danger-full-access external-sandbox read-only workspace-write"
offers "sbx-run --sandbox " "$modes"
offers "sbx-run -s w" workspace-write
offers "sbx-run --sandbox=w" workspace-write
offers "sbx-run --sandbox=" "$modes"
offers "sbx-run --full-auto --network lo" "loopback loopback:"
offers "sbx-run --network=loopback:" ""
offers "sbx-approve --serve -a on-" "on-change on-failure on-request"
offers "sbx-policy --check-path " "read write"
offers "sbx-select --platform m" macos
offers "sbx-run --allow gi" "git git:config"
offers "sbx-run --allow cache:np" npm
offers "sbx-run --allow cache:npm --net" --network
offers "sbx-run --timeout " ""
# Names of the configuration, which may be a project's: nothing in them is run, and
# what is put into the line is quoted.
mkdir "$HOME/.codex"
cat >"$HOME/.codex/config.toml" <<END
[profiles.ci]
approval_policy = "never"
[profiles.'c\$(touch\${IFS}$scratch/named)']
approval_policy = "never"
[profiles.'c two']
approval_policy = "never"
[permissions.review]
extends = ":read-only"
END
PATH=$SBX:$PATH
offers "sbx-run -p ci" ci
offers "sbx-run --profile=ci" ci
offers "sbx-run -P rev" review
offers "sbx-policy --permissions :read" read-only
is "bash: names with blanks and more are quoted" "$(offered "sbx-run -p c")" \
	"$(printf '%q\n' "c\$(touch\${IFS}$scratch/named)" "c two" ci | sort)"
ok "bash: nothing in a name is run" absent "$scratch/named"
if have PROGRAM zsh; then
	# What is offered, in which order, as compadd has it.
	zsh_offers() { zsh -f -c 'compadd() { print -rl -- "$@" }; _arguments() { for one; do case $one in "*-'"$1"'+"*) eval "${one##*:}" ;; esac; done }; . "$1"' zsh "$completions/zsh/_sbx-run" | awk 'behind { print } /^--$/ { behind = 1 }'; }
	is "zsh: the careful mode is first" "$(zsh_offers s | head -n 1)" read-only
	is "zsh: profiles" "$(zsh_offers p | sort)" "$(printf '%s\n' "c\$(touch\${IFS}$scratch/named)" "c two" ci | sort)"
	is "zsh: permission sets" "$(zsh_offers P | grep -c '^review$')" 1
	ok "zsh: nothing in a name is run" absent "$scratch/named"
fi
if have PROGRAM fish; then
	run fish --no-config -c 'source $argv[1]; complete -C "sbx-run -p c"' "$completions/fish/sbx-run.fish"
	is "fish: profiles" "$(cut -f 1 <<<"$out" | sort)" "$(printf '%s\n' "c\$(touch\${IFS}$scratch/named)" "c two" ci | sort)"
	ok "fish: nothing in a name is run" absent "$scratch/named"
fi
mkdir "$ws/directory"
: >"$ws/data"
cd "$ws" || exit 1
offers "sbx-run --add-dir d" directory
offers "sbx-run --audit d" "data directory"
offers "sbx-run --add-dir=dir" directory
# Behind the options the command begins, and options are its own.
offers "sbx-run --full-auto -- --net" ""
offers "sbx-run -s read-only ls --net" ""
offers "sbx-run -s read-only ls d" "data directory"
offers "sbx-run --full-auto sbx-no-such-program" ""
like "bash: a command" "$(offered 'sbx-run --full-auto -- true')" '^true$'
offers "sbx-wrap d" "data directory"
# What is on the line is never run.
offers "sbx-run --x[\$(touch\${IFS}$scratch/ran)] --net" --network
ok "bash: text on the line is not expanded" absent "$scratch/ran"

if have PROGRAM fish; then
	fish_offers() {
		run fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$completions/fish/${1%% *}.fish" "$1"
		is "fish: $1" "$(cut -f 1 <<<"$out" | sort | xargs)" "$2"
	}
	fish_offers "sbx-run --network lo" "loopback loopback:"
	fish_offers "sbx-run --network=lo" "--network=loopback --network=loopback:"
	fish_offers "sbx-run --allow cache:np" cache:npm
	fish_offers "sbx-run --full-auto -- ls --net" ""
	fish_offers "sbx-run --full-auto ls dat" data
fi
finish
