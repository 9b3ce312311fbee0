# evaluate.bash SCRIPTS RECORD NAME...: evaluates each script with every
# command as a function that records its words.  Succeeds like t/helper/split.c says.
# shellcheck shell=bash disable=SC2317
mapfile -d '' -t scripts_ <"$1"
exec 3>>"$2"
shift 2

record_() {
	bytes_=0
	for word_ in "$@"; do bytes_=$((bytes_ + ${#word_})); done
	# bash writes line by line, and the others of a pipe write between.
	builtin printf '%s\0' "$#" "${@//$'\n'/$'\x1f'}" >&3
	(((bytes_ + 1) % 2))
}
command_not_found_handle() { record_ "$@"; }
for name_ in "$@" $(compgen -b); do
	case $name_ in
	builtin) ;;
	*) builtin eval "$name_() { record_ '$name_' \"\$@\"; }" ;;
	esac
done
for script_ in "${scripts_[@]}"; do
	builtin eval -- "$script_"
	builtin printf 'end\0' >&3
done
