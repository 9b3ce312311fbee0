# The part of bash's completion that differs between programs; body.bash is the rest.
END {
	fill_values()
	name = "_" program
	gsub(/-/, "_", name)
	print "\n" name "() {"
	print "\tlocal takes_command=" (takes_command ? "yes" : "") " flags=()"
	print "\tlocal -A values=()"
	for (i = 1; i <= count; i++) {
		names = (letter[i] != "" ? "-" letter[i] " " : "") "--" long[i]
		if (argument[i] == "") {
			print "\tflags+=(" names ")"
			continue
		}
		n = split(names, one, " ")
		for (k = 1; k <= n; k++)
			print "\tvalues[" one[k] "]='" values[i] "'"
	}
	print "\t_sbx_complete\n}"
	print "complete -F " name " " program
}
