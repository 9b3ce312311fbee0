# Completion of one program for fish.
function quoted(text) {
	gsub(/[\\']/, "\\\\&", text)
	return "'" text "'"
}

END {
	fill_values()
	name = "__" program
	gsub(/-/, "_", name)
	for (i = 1; i <= count; i++)
		spec = spec " " (letter[i] != "" ? letter[i] "/" : "") long[i] (argument[i] != "" ? "=+" : "")
	print "# Completion for " program ", made from its --help."
	print ""
	print "# The command and its arguments, behind the options."
	print "function " name "_command"
	print "    set -l tokens (commandline -opc) (commandline -ct)"
	print "    set -e tokens[1]"
	print "    argparse -s" spec " -- $tokens 2>/dev/null; or return 1"
	print "    test -n \"$argv\"; and not string match -q -- '-*' $argv[1]"
	print "    and string join0 -- $argv"
	print "end"
	print ""
	print "function " name "_options"
	print "    not " name "_command >/dev/null; and not contains -- -- (commandline -opc)"
	print "end"
	print ""
	for (i = 1; i <= count; i++) {
		line = "complete -c " program " -n " name "_options"
		if (letter[i] != "")
			line = line " -s " letter[i]
		line = line " -l " long[i]
		if (values[i] == "@file")
			line = line " -r -F"
		else if (values[i] == "@dir")
			line = line " -x -a '(__fish_complete_directories)'"
		else if (values[i] == "@command")
			line = line " -x -a '(__fish_complete_command)'"
		else if (values[i] ~ /^@/)
			line = line " -x -a '(sbx-policy --list " substr(values[i], 2) " 2>/dev/null)'"
		else if (values[i] != "")
			line = line " -x -a " quoted(values[i])
		else if (argument[i] != "")
			line = line " -x"
		print line " -d " quoted(help[i])
	}
	if (takes_command) {
		print ""
		print "function " name "_complete"
		print "    set -l rest (" name "_command | string split0)"
		print "    __fish_complete_subcommand --commandline $rest"
		print "end"
		print "complete -c " program " -x -a '(" name "_complete)'"
	}
}
