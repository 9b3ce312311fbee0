# The records of several machines as one, in the order of time, each with its machine.
#
#	awk '{ print FILENAME "\t" $0 }' MACHINE.jsonl... | jq -nRrf merge-audit.jq
#
# awk ends every file's last line: a record that was cut short, as by a machine that was
# switched off, does not take another one with it, and is said to be unreadable.
[ inputs
  | index("\t") as $tab
  | (.[:$tab] | sub("^.*/"; "") | sub("\\.jsonl$"; "")) as $machine
  | .[$tab + 1:] as $line
  | ($line | try fromjson catch null)
  | if type == "object" and .sbx_audit then {machine: $machine} + .
    else {machine: $machine, sbx_audit: null, time: "", unreadable: $line} end ]
| sort_by(.time) | .[] | tojson
