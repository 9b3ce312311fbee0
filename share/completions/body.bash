# shellcheck shell=bash disable=SC2154
# Completion for the programs of sbx.  The function of each program sets
# flags, values (of the options that take one) and takes_command for this one.

# Never as a subscript: what is on the command line must not be expanded.
_sbx_takes_value() { [[ " ${!values[*]} " == *" $1 "* ]]; }

# The words up to the cursor as the program would get them, in `words`; bash
# splits at = and : as well.  starts[i] is where words[i] begins in COMP_WORDS.
_sbx_words() {
	local rest=${COMP_LINE:0:COMP_POINT} word i
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((i == 0)) || [[ $rest == [[:blank:]]* ]]; then
			rest=${rest#"${rest%%[![:blank:]]*}"}
			words+=('')
			starts+=("$i")
		fi
		((i < COMP_CWORD)) || word=$rest
		words[${#words[@]} - 1]+=$word
		rest=${rest#"$word"}
	done
}

_sbx_reply() {
	local line
	while IFS= read -r line; do
		COMPREPLY+=("$line")
	done
}

# Names of a configuration, which a project may have chosen: compgen -W would run what
# stands in them, and so would the line that they are put into, without quotes.
_sbx_names() {
	local name
	while IFS= read -r name; do
		[[ $name == "$1"* ]] || continue
		printf -v name %q "$name"
		COMPREPLY+=("$name")
	done
}

_sbx_files() {
	compopt -o filenames 2>/dev/null
	_sbx_reply < <(compgen "$1" -- "$2")
}

# _sbx_value OPTION CURRENT PREFIX
_sbx_value() {
	local drop=
	case ${values[$1]} in
	'') return ;;
	@dir) _sbx_files -d "$2" ;;
	@file) _sbx_files -f "$2" ;;
	@command) _sbx_reply < <(compgen -c -- "$2") ;;
	@profiles | @permissions)
		_sbx_names "$2" < <(sbx-policy --list "${values[$1]#@}" 2>/dev/null)
		;;
	*) _sbx_reply < <(compgen -W "${values[$1]}" -- "$2") ;;
	esac
	# A name follows.
	[[ ${COMPREPLY[*]} != *: ]] || compopt -o nospace 2>/dev/null
	# Only what stands behind the last break is replaced.
	case $2:$COMP_WORDBREAKS in *:*:*) drop=${2%"${2##*:}"} ;; esac
	case $COMP_WORDBREAKS in *=*) ;; *) drop= && COMPREPLY=("${COMPREPLY[@]/#/$3}") ;; esac
	COMPREPLY=("${COMPREPLY[@]#"$drop"}")
}

_sbx_complete() {
	local words=() starts=() i=1 last option='' operands='' current
	COMPREPLY=()
	_sbx_words
	last=$((${#words[@]} - 1))
	current=${words[last]}
	while ((i < last)); do
		case ${words[i]} in
		--) operands=1 && ((i += 1)) && break ;;
		-?*)
			if _sbx_takes_value "${words[i]}"; then
				((i + 1 < last)) || option=${words[i]}
				((i += 1))
			fi
			((i += 1))
			;;
		*) operands=1 && break ;;
		esac
	done
	if [[ $option ]]; then
		_sbx_value "$option" "$current" ''
	elif [[ ! $operands && $current == --*=* ]]; then
		! _sbx_takes_value "${current%%=*}" ||
			_sbx_value "${current%%=*}" "${current#*=}" "${current%%=*}="
	elif [[ ! $operands && $current == -* ]]; then
		_sbx_reply < <(compgen -W "${flags[*]} ${!values[*]}" -- "$current")
	elif [[ $takes_command ]] && declare -F _command_offset >/dev/null; then
		_command_offset "${starts[i]}"
	elif [[ $takes_command ]] && ((i == last)); then
		_sbx_reply < <(compgen -c -- "$current")
	else
		_sbx_files -f "$current"
	fi
}
