#!/bin/bash
# Every line of the migration page does what the page says.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"
page=$SHARE/doc/migration
seen=0
while IFS= read -r line; do
	key=$(sed 's/^ *//; s/ *->.*//' <<<"$line")
	want=${line##*-> }
	seen=$((seen + 1))
	config "$key"
	mode=()
	case $key in sandbox_workspace_write*) mode=(-s workspace-write) ;; esac
	policy "${mode[@]}"
	case $want in
	silent) is "$key: silent" "$status $err" "0 " ;;
	refused) is "$key: refused, in words" "$status $([ -n "$err" ] && echo said)" "3 said" ;;
	*) is "$key: ${want%% = *}" "$status $(ask -r ".policy${want%% = *}")" "0 ${want##* = }" ;;
	esac
done < <(grep -- ' -> ' "$page")
ok "control: the page has its lines" [ "$seen" -ge 20 ]
finish
