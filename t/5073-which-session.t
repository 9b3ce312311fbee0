#!/bin/bash
# sbx-approve --inbox in a terminal that knows of no session: the only one of this user, and
# said when there is none or more.  Sessions of other tests would count.
. "${0%/*}/lib/lib.sh"
quiet
. "$TESTS/lib/documents.sh"
. "$TESTS/lib/approver.sh"
. "$TESTS/lib/inbox.sh"

at_inbox 'unset env(SBX_SESSION); '"$start"'; type $one \003; see $one 1049l'
is "a terminal of its own finds the session" "$status" 0
at_inbox "exec $approve --serve -- sh -c {touch $scratch/up; exec sleep 600} &; finished up; unset env(SBX_SESSION); spawn -noecho $approve --inbox; see \$spawn_id {2 sessions are running; set SBX_SESSION}; exec pkill -P [pid] -x sbx-approve"
is "of two it names both" "$status" 0
run env -u SBX_SESSION "$approve" --inbox
is "there is none" "$status $err" "2 sbx-approve: no session of this user is running; sbx-approve --serve starts one"
run setsid -w "$approve" --serve -- "$approve" --inbox
is "no terminal" "$status $err" "5 sbx-approve: --inbox needs a terminal, and there is none"
finish
