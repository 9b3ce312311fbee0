# Reads --help of every program, the wanted one last, into
#
#	count, long[i], letter[i], argument[i], help[i], values[i]
# values: the words that may follow, or "@dir", "@file", "@command", or nothing.

# "read-only, workspace-write or none; a remark" is a list of words; of "loopback:NAME" all
# but the name, which is to be typed.
function words_of(text,    n, parts, i, list) {
	sub(/;.*/, "", text)
	sub(/^[^:]*: /, "", text)
	gsub(/:NAME/, ":", text)
	if (text !~ /^[a-z:-]+(, [a-z:-]+)* or [a-z:-]+$/)
		return ""
	gsub(/,| or /, " ", text)
	n = split(text, parts, " ")
	for (i = 1; i <= n; i++)
		list = list (i > 1 ? " " : "") parts[i]
	return list
}

function values_of(name, what) {
	if (what ~ /\|/) {
		gsub(/\|/, " ", what)
		return what
	}
	if (name in known)
		return known[name]
	if (what == "PRESET")
		return presets
	if (name == "profile")
		return "@profiles"
	if (name == "permissions")
		return "@permissions"
	if (what == "DIR")
		return "@dir"
	if (what == "FILE")
		return "@file"
	if (what == "CMD")
		return "@command"
	return ""
}

# What is known of an option when all of its lines were read.
function learn() {
	if (count > 0 && argument[count] != "" && words_of(help[count]) != "")
		known[long[count]] = words_of(help[count])
}

FNR == 1 { learn(); count = 0; takes_command = 0 }
/^(usage:|      ) / && /COMMAND/ { takes_command = 1 }
# In words of every awk: 27 blanks, and then not one more.
match($0, /[^ ]/) == 28 && count > 0 {
	help[count] = help[count] (help[count] == "" ? "" : " ") substr($0, 28)
}
/^  (-., |    )--/ {
	learn()
	count++
	letter[count] = substr($0, 3, 1) == "-" ? substr($0, 4, 1) : ""
	rest = substr($0, 9)
	long[count] = rest
	sub(/ .*/, "", long[count])
	rest = substr(rest, length(long[count]) + 1)
	argument[count] = ""
	if (rest ~ /^ [^ ]/) {
		argument[count] = substr(rest, 2)
		sub(/ .*/, "", argument[count])
		rest = substr(rest, 2 + length(argument[count]))
	}
	sub(/^ +/, "", rest)
	help[count] = rest
}

function fill_values(    i) {
	learn()
	if (count == 0) {
		print "generate: " program ": --help lists no options" >"/dev/stderr"
		exit 1
	}
	for (i = 1; i <= count; i++)
		values[i] = argument[i] == "" ? "" : values_of(long[i], argument[i])
}
