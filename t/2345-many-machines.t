#!/bin/bash
# The examples of many machines: each machine runs the command in a sandbox of its own,
# and the records become one.  ssh, srun are stand-ins here; make test-engines has sshd.
. "${0%/*}/lib/lib.sh"
need USERNS
examples=$SHARE/examples/many-machines
mkdir "$scratch/bin" "$scratch/home"
export HOME=$scratch/home PATH=$scratch/bin:$SBX:$PATH
mkdir "$ws/.git" "$ws/.agents" "$ws/.codex"

# As ssh does it: the words are one line for a shell there.
printf '#!/bin/bash\nshift; machine=$1; shift; MACHINE=$machine exec bash -c "$*"\n' >"$scratch/bin/ssh"
printf '#!/bin/bash\nshift; for i in 0 1 2; do SLURM_PROCID=$i "$@" & done; s=0; for i in 0 1 2; do wait -n || s=$?; done; exit $s\n' >"$scratch/bin/srun"
chmod +x "$scratch"/bin/*
seen() { jq -r "$1" <<<"$out" | sort | xargs; }

if have PROGRAM parallel; then
	printf 'one\nuser@two\n\nthree\n' >"$scratch/machines"
	run "$examples/parallel-ssh" "$scratch/machines" "$ws" sh -c 'echo "$1" >"made.$$"; echo said' - "it's \"a\" \$HOME;
b"
	is "parallel: a record for each machine" "$status $(seen .machine)" "0 one three user@two"
	is "... each from a sandbox" "$(seen .sandbox.backend | tr ' ' '\n' | sort -u)" bubblewrap
	is "... with its words" "$(cat "$ws"/made.* | sort -u)" "$(printf 'it'\''s "a" $HOME;\nb\n' | sort -u)"
	like "... the output beside it" "$err" said
	rm "$ws"/made.*
	run "$examples/parallel-ssh" "$scratch/machines" "$ws" sh -c 'echo >.git/x'
	is "a command that is denied" "$([ "$status" != 0 ] && echo failed) $(seen .result.exit_code | tr ' ' '\n' | sort -u | xargs)" "failed 2"
	ok "... changes nothing" absent "$ws/.git/x"
	is "nothing is left" "$(cd "$HOME" && echo .sbx-audit*)" ".sbx-audit*"
else
	skip "parallel is missing" "parallel-ssh"
fi

run "$examples/slurm-job" "$ws" "$scratch/records" sh -c 'echo x >>out'
is "srun: each task ran" "$status $(wc -l <"$ws/out")" "0 3"
is "... one record of all" "$(jq -r .machine "$scratch/records/all" | sed 's/.*\.//' | sort | xargs)" "0 1 2"
printf '{"sbx_audit":1,"time":"2020' >"$scratch/records/broken.jsonl"
is "a record that was cut short is said" \
	"$(awk '{ print FILENAME "\t" $0 }' "$scratch"/records/*.jsonl | jq -nRrf "$examples/merge-audit.jq" | jq -r 'select(.unreadable).machine')" broken

cd "$ws" || exit 1
SBX_OPTIONS='-c sandbox_workspace_write.exclude_slash_tmp=true' run "$examples/kubernetes-job" example.org/image 5 make test
is "kubernetes: a policy and a Job" "$status $(seen .items[].kind)" "0 Job NetworkPolicy"
is "... which it closes" "$(jq -r '.items[0].spec.podSelector.matchLabels["sbx-run"] == .items[1].spec.template.metadata.labels["sbx-run"]' <<<"$out")" true
is "... with the filter for the nodes" "$(cd "$HOME/.sbx-seccomp" && echo *)" "$(jq -r '.items[1].spec.template.spec.securityContext.seccompProfile.localhostProfile' <<<"$out")"
rmdir .codex
SBX_OPTIONS='-c sandbox_workspace_write.exclude_slash_tmp=true' run "$examples/kubernetes-job" example.org/image 5 make test
is "what cannot be held stops it" "$([ "$status" != 0 ] && echo stopped) $out" "stopped "
mkdir .codex
HOME=$ws SBX_OPTIONS='-c sandbox_workspace_write.exclude_slash_tmp=true' run "$examples/kubernetes-job" example.org/image 5 make test
is "so does a home that the command can write in" "$([ "$status" != 0 ] && echo stopped) $out$(cd "$ws/.sbx-seccomp" && echo *)" "stopped *"
like "... and says so" "$err" "no writable root"
finish
