#!/bin/bash
# Every program has --help, --version and a manual page that lists the same
# options.
. "${0%/*}/lib/lib.sh"

# The options of --help and of the page, one per line, with their arguments.
in_help() { sed -nE 's/^  (-(.), |    )--([a-z-]+)( ([^ ]+))?( .*)?$/\3 \2 \5/p' <<<"$1" | sed 's/ *$//; s/  */ /g' | sort; }
in_page() {
	sed -nE 's/^\.It (Fl ([a-zA-Z]) , )?Fl -([a-z-]+)( Ar (.*))?$/\3 \2 \5/p' "$1" | sed 's/ *$//; s/  */ /g' | sort
}

programs=0
for file in "$SBX"/sbx-*; do
	name=${file##*/}
	programs=$((programs + 1))
	page=$SHARE/man/$name.1
	run "$file" --help
	is "$name --help exits 0" "$status" 0
	is "$name --help says nothing on standard error" "$err" ""
	like "$name --help begins with the usage" "$(head -n 1 <<<"$out")" "^usage: $name( |$)"
	help=$out
	is "$name -h is the same" "$("$file" -h)" "$help"
	is "$name --help fits in 80 columns" "$(awk 'length > 80' <<<"$help")" ""
	is "$name --help has the exit codes" "$(grep -c '^Status: ' <<<"$help")" 1
	# Two of them, as they would be typed: behind "Status", in two blanks.
	is "$name --help has two examples" "$(sed '1,/^Status: /d' <<<"$help" | grep -c '^  sbx-')" 2
	wide=$(grep -cE '^      --|^  -., --' <<<"$help") groups=$(grep -cE '^[A-Z].*:$' <<<"$help")
	ok "$name: more than twelve options are grouped ($wide in $groups)" test "$wide" -le 14 -o "$groups" -ge 3
	if [ ! -e "$page" ]; then
		fail "$name has a manual page" "no $page"
		continue
	fi
	isnt "$name: --help lists options" "$(in_help "$help")" ""
	is "$name: the page lists the options of --help" "$(in_page "$page")" "$(in_help "$help")"
	run "$file" --version
	like "$name --version" "$status $out" "^0 $name [0-9]+\.[0-9]+"
	run "$file" --no-such-option
	case $name in sbx-run | sbx-linux-sandbox) want=125 ;; *) want=2 ;; esac
	is "$name: an unknown option is wrong usage" "$status" "$want"
	like "$name: and one line says which" "$err" "^$name: .*no-such-option"
	is "$name: one line" "$(wc -l <<<"$err")" 1
	if have PROGRAM mandoc; then
		# Pages refer to each other before they are installed.
		run mandoc -Tlint "$page"
		is "$name: the page is correct mdoc" "$(grep -v 'referenced manual not found' <<<"$out")" ""
	else
		skip "$name: the page is correct mdoc" "no mandoc here"
	fi
done
# What is said to be the default is.
for row in "sandbox read-only sandbox_policy.type" "network loopback permissions.network" "ask-for-approval on-request approval_policy"; do
	read -r option default member <<<"$row"
	like "--$option: $default, says --help" "$("$SBX/sbx-policy" --help | grep -A4 -e "--$option " | tr -s ' \n' ' ')" "$default(,| by) |$default by default|$default, the default"
	is "--$option: and so it is" "$(cd "$ws" && HOME=$ws CODEX_HOME=$scratch/none "$SBX/sbx-policy" -- true | jq -r ".policy.$member")" "$default"
done
run "$SBX/sbx-run" --netwrok on true
like "a mistyped option gets the near name" "$err" 'unknown; did you mean --network[?]'
run "$SBX/sbx-run" --= true
like "a heading of --help is no option" "$status $err" '^125 .*unknown'
ok "control: there were programs" test "$programs" -ge 6
finish
