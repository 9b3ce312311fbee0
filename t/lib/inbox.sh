# shellcheck shell=bash disable=SC2034,SC2154
# Sitting at sbx-approve --inbox; after documents.sh and approver.sh.

need PROGRAM expect
approve=$SBX/sbx-approve
export HOME=$scratch/home CODEX_HOME=$scratch/codex TERM=xterm
mkdir -p "$HOME" "$CODEX_HOME"
doc '.policy.approval_policy = "untrusted"' >"$scratch/doc"
jq -c '.policy.approval_policy = "on-request" | .result = {denied: true, denials: [{op: "create", path: "/srv/data/x",
	syscall: "openat", grant: {write: ["/srv/data"]}}]}' "$scratch/doc" >"$scratch/denied"

# ask NAME [DOCUMENT]: one who asks in the background, without a terminal
cat >"$scratch/ask" <<END
setsid -w "$approve" <\${2-$scratch/doc} 2>/dev/null | "$HELPER/jq" -r '"\(.approval.decision) \(.approval.by)"' >$scratch/said.\$1.new
mv $scratch/said.\$1.new $scratch/said.\$1
END
said() { cat "$scratch/said.$1" 2>/dev/null; }

# at_inbox SCRIPT [SHELL-SCRIPT [OPTION...]]: expect's SCRIPT sits at an inbox, spawned as $one,
# of a session whose command is SHELL-SCRIPT, and ends when both have.
cat >"$scratch/lib.exp" <<END
set timeout 30
match_max -d 200000
set stty_init "rows 40 columns 80"
proc inbox {} { global spawn_id spawn_out; spawn -noecho $approve --inbox; return \$spawn_id }
proc see {id what} {
	expect {
		-i \$id -re \$what { return }
		-i \$id timeout { puts "\nMISSED \$what"; exit 1 }
		-i \$id eof { puts "\nENDED before \$what"; exit 1 }
	}
}
proc type {id key} { send -i \$id \$key }
proc finished {file} {
	for {set i 0} {\$i < 3000} {incr i} { if {[file exists $scratch/\$file]} return; after 20 }
	puts "\nNOT FINISHED \$file"; exit 1
}
proc ask {args} { exec sh $scratch/ask {*}\$args & }
END
at_inbox() {
	rm -f "$scratch"/said.*
	printf 'source %s/lib.exp\n%s\n' "$scratch" "$1" >"$scratch/drive"
	shift
	run timeout 120 "$approve" --serve "$@" -- expect "$scratch/drive"
	screen=$(tr -d '\r' <<<"$out" | sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g')
}
start='set one [inbox]; see $one "nothing: a question"'
