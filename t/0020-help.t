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
run "$SBX/sbx-run" --netwrok on true
like "a mistyped option gets the near name" "$err" 'unknown; did you mean --network[?]'
run "$SBX/sbx-run" --= true
like "a heading of --help is no option" "$status $err" '^125 .*unknown'
ok "control: there were programs" test "$programs" -ge 6
finish
