#!/bin/bash
# Nested sessions: a subagent's questions reach the root's approver with their
# source, policies only narrow, and cancelling the parent aborts the child.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
. "$TESTS/lib/approver.sh"
approve=$SBX/sbx-approve
doc '.policy.approval_policy = "untrusted"' >"$scratch/doc"
root() { run timeout 60 "$approve" --serve --approver "$scratch/approver" "$@"; }
script() { cat >"$scratch/$1"; }
# child SCRIPT [OPTION...]: the command line of a nested session
child() {
	local name=$1
	shift
	printf '"%s" --serve --parent "$SBX_SESSION" --source subagent:review %s -- sh %s/%s\n' "$approve" "$*" "$scratch" "$name"
}

script ask <<END
"$approve" <$scratch/doc 2>/dev/null | jq -r '"\(.approval.decision) \(.approval.by)"'
END
answer '{"decision":"approved"}'
root -- sh -c "$(child ask)"
is "the root's approver answers" "$status $out" "0 approved parent"
is "and sees who asks" "$(jq -r .source "$scratch/asked")" subagent:review
rm "$scratch/asked"
answer '{"decision":"denied"}'
root -- sh -c "$(child ask)"
is "a denial comes back too" "$out" "denied parent"
answer '{"decision":"approved_for_session"}'
script twice <<END
sh $scratch/ask; sh $scratch/ask
END
rm -f "$scratch/asked"
root -- sh -c "$(child twice)
$(child ask)"
is "a child remembers, and so does the root it asked" "$(xargs <<<"$out") $(wc -l <"$scratch/asked")" \
	"approved_for_session parent approved_for_session cache approved_for_session parent 1"
script grandchild <<END
$(child ask)
END
rm -f "$scratch/asked"
root -- sh -c "$(child grandchild)"
is "two levels" "$out" "approved_for_session parent"

# Policies: inherited, and only narrower.
answer '{"decision":"denied"}'
script as <<END
jq -c '.policy.approval_policy = "on-request"' $scratch/doc | "$approve" 2>&1 >/dev/null | head -n 1
echo "status \$(jq -c '.policy.approval_policy = "on-request"' $scratch/doc | "$approve" 2>/dev/null | jq -r .approval.decision)"
END
root -- sh "$scratch/as"
is "control: on-request runs" "$out" "status skip"
root --ask-for-approval untrusted -- sh "$scratch/as"
like "the session's own policy counts as well" "$out" 'status denied'
root --ask-for-approval untrusted -- sh -c "$(child as)"
like "a child inherits it" "$out" 'status denied'
root --ask-for-approval untrusted -- sh -c "$(child as --ask-for-approval never)"
like "and cannot get rid of it" "$out" 'status denied'
root -- sh -c "$(child as --ask-for-approval untrusted)"
like "it can narrow" "$out" 'status denied'
root --sandbox read-only -- sh "$scratch/as"
like "a wider mode than the session's is refused" "$out" 'status denied'
like "... saying so" "$out" 'the session allows no sandbox mode as wide'
root --sandbox read-only -- sh -c "$(child as --sandbox workspace-write)"
isnt "a child with a wider mode does not start" "$status" 0
like "... and says why" "$err" "wider than the parent session's read-only"
root --sandbox workspace-write -- sh -c "$(child as --sandbox read-only)"
like "a narrower one does" "$out" 'status denied'
# Cancelling the parent.
printf '#!/bin/sh\necho $$ >%s/asking; exec sleep 600\n' "$scratch" >"$scratch/endless"
chmod 755 "$scratch/endless"
script pending <<END
trap '' TERM
"$approve" <$scratch/doc 2>/dev/null >$scratch/pending.doc
echo "ended \$?" >$scratch/pending.status
END
"$approve" --serve --approver "$scratch/endless" -- sh -c "$(child pending)" >/dev/null 2>&1 &
ok "control: a child's question is pending" eventually 10 test -s "$scratch/asking"
kill -TERM $!
wait
ok "the parent is cancelled: the child's question ends" eventually 10 test -s "$scratch/pending.status"
is "as an abort" "$(cat "$scratch/pending.status") $(jq -r .approval.decision "$scratch/pending.doc")" "ended 1 abort"
asking_ended() { ! kill -0 "$(cat "$scratch/asking")" 2>/dev/null; }
ok "and the approver with it" eventually 10 asking_ended
is "no socket is left" "$(find "$XDG_RUNTIME_DIR" -name s)" ""
run "$approve" --serve --parent "$scratch/none" -- true
is "a parent that is not there" "$status" 5
run "$approve" --serve --source nonsense -- true
is "a source that is none" "$status" 2
finish
