# Completion of one program for zsh.
function quoted(text) {
	gsub(/'/, "'\\''", text)
	return text
}

# In a specification, what has a meaning there.
function plain(text) {
	gsub(/[\\:\[\]]/, "\\\\&", text)
	return quoted(text)
}

function action(list,    named) {
	if (list == "@dir")
		return "_files -/"
	if (list == "@file")
		return "_files"
	if (list == "@command")
		return "_command_names -e"
	if (list ~ /^@/)
		return " compadd -- ${(f)\"$(sbx-policy --list " substr(list, 2) " 2>/dev/null)\"}"
	# In our order: the careful word is the first of its list.  After "loopback:" a name follows.
	named = match(list, / [a-z]+:( |$)/) ? substr(list, RSTART, RLENGTH) : ""
	sub(/ [a-z]+:( |$)/, " ", list)
	gsub(/:/, "\\:", list)
	gsub(/:/, "\\:", named)
	return list == "" ? " " : " compadd -V words -- " list (named == "" ? "" : "; compadd -V words -S \"\" --" named)
}

END {
	fill_values()
	print "#compdef " program
	print "# Made from " program " --help."
	print "_arguments -s -S \\"
	for (i = 1; i <= count; i++) {
		tail = "[" plain(help[i]) "]"
		if (argument[i] != "")
			tail = tail ":" plain(argument[i]) ":" quoted(action(values[i]))
		value = argument[i] != ""
		if (letter[i] != "")
			print "\t'*-" letter[i] (value ? "+" : "") tail "' \\"
		print "\t'*--" long[i] (value ? "=" : "") tail "' \\"
	}
	if (takes_command)
		print "\t'(-):command: _command_names -e' \\\n\t'*::arguments: _normal'"
	else
		print "\t'*:file:_files'"
}
