#!/bin/bash
# Where denials are not observed a person at a terminal is told so once, with an
# option that works as it is printed.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/denials.sh"
need PROGRAM script

mkdir -m 700 "$scratch/login"
at_terminal() { XDG_RUNTIME_DIR=$1 run script -qec "$SBX/sbx-run --exec <$scratch/in" /dev/null; }
words='denials are not observed: this kernel is older'

code=0 stand_in '{"event":"unobserved","why":"this kernel is older"}'
at_terminal "$scratch/login"
like "the first time" "$out" "$words"
at_terminal "$scratch/login"
unlike "... and not again" "$out" "$words"
stand_in '{"event":"unobserved","why":"this kernel is older"}'
at_terminal "$scratch/login"
unlike "... also when the command fails" "$out" "$words"
XDG_RUNTIME_DIR=$scratch/login told --report human
like "whoever asks for a report is told each time" "$err" "$words"
rm "$scratch/login"/*
ln -s "$outside/written" "$scratch/login/sbx-told-unobserved"
at_terminal "$scratch/login"
ok "no link is followed to remember it" absent "$outside/written"
at_terminal "$scratch/nowhere"
like "no place to remember: a failure is when it is said" "$out" "$words"
code=0 stand_in '{"event":"unobserved","why":"this kernel is older"}'
at_terminal "$scratch/nowhere"
unlike "... and a success when it is not" "$out" "$words"

# The option.  Whatever else -c is given stays TOML.
observe() { run "$SBX/sbx-policy" -c "$1" -C "$ws" -- true; }
observe sbx.observe=on
is "-c sbx.observe=on, as it is printed" "$status $(jq -r .policy.sbx.observe <<<"$out")" "0 on"
observe 'sbx.observe="on"'
is "control: the same in TOML" "$status $(jq -r .policy.sbx.observe <<<"$out")" "0 on"
observe sandbox_mode=read-only
is "a word with a dash" "$status $(jq -r .policy.sandbox_policy.type <<<"$out")" "0 read-only"
observe sbx.observe=perhaps
is "a word that is none of the key's" "$status" 3
observe sbx.nested=on
is "a word where true or false is meant" "$status" 3
observe sbx.nested=true
is "true is still true" "$status $(jq -r .policy.sbx.nested <<<"$out")" "0 true"
observe 'sbx.observe=on off'
is "two words are none" "$status" 3
observe 'sbx.observe='
is "nothing is none" "$status" 3
observe 'sandbox_workspace_write.writable_roots=[/srv'
is "a list that does not end" "$status" 3
if have USERNS && have NOTIFY; then
	run "$SBX/sbx-run" -c sbx.observe=on -s workspace-write -a never -C "$ws" -- true
	is "the helper takes it" "$status$err" 0
fi

finish
