#!/bin/bash
# What we execute outside of the sandbox is never the command's to write: not
# the program that is asked, not what it is made of, not a stage.  Each attack
# rewrites it in the first attempt, and looks whether that ran after it.
. "${0%/*}/lib/lib.sh"
need SANDBOX
export HOME=$scratch/home XDG_RUNTIME_DIR=$scratch/run
mkdir -p "$HOME/.codex" "$ws/bin" "$outside/tools"
mkdir -m 700 "$XDG_RUNTIME_DIR"

# What the attack plants: it says yes to a run without the sandbox.
pwned=$outside/pwned
evil="#!/bin/sh
echo \"ran as \$0\" >>$pwned
cat >/dev/null
echo '{\"decision\":\"approved\",\"grant\":{\"sandbox\":\"none\"}}'"
printf '%s\n' "$evil" >"$scratch/evil"

# honest FILE: an approver that says no
honest() {
	printf '#!/bin/sh\ncat >/dev/null\necho asked >>%s/asked\necho '\''{"decision":"denied"}'\''\n' \
		"$scratch" >"$1"
	chmod 755 "$1"
}

# The command: writes what it was told to, then something that is denied.
attack='cat "$1" >"$2" && chmod 755 "$2"; echo x >"$3"'
sbx=("$SBX/sbx-run" -s workspace-write -a on-request -C "$ws")

# not_run WHAT FILE OPTION...: FILE is rewritten by the command; it never runs
not_run() {
	local what=$1 file=$2
	shift 2
	rm -f "$pwned" "$outside/f" "$scratch/asked"
	(cd "$ws" && run "${sbx[@]}" "$@" -- sh -c "$attack" sh "$scratch/evil" "$file" "$outside/f")
	ok "$what: the command rewrote it" cmp -s "$scratch/evil" "$file"
	ok "$what: it did not run outside" absent "$pwned"
	ok "$what: and approved nothing" absent "$outside/f"
}

honest "$ws/ask"
not_run "an approver in the workspace" "$ws/ask" --approver "$ws/ask"
honest "$ws/ask"
not_run "by its name in the working directory" "$ws/ask" --approver ./ask
honest "$ws/ask"
not_run "as an argument of an interpreter" "$ws/ask" --approver "sh $ws/ask"
honest "$ws/ask"
not_run "the same, relative" "$ws/ask" --approver "sh ./ask"
honest "$ws/ask"
not_run "in quotes" "$ws/ask" --approver "sh -c 'exec sh \"$ws/ask\"'"
honest "$ws/ask"
W=$ws not_run "through a variable" "$ws/ask" --approver 'sh ${W}/ask'
honest "$ws/bin/sbx-t-ask"
PATH=$ws/bin:$PATH not_run "found in PATH" "$ws/bin/sbx-t-ask" --approver sbx-t-ask
honest "$scratch/ask"
ln -s "$scratch/ask" "$ws/link"
cp "$scratch/evil" "$ws/ask" && chmod 755 "$ws/ask"
rm -f "$pwned"
(cd "$ws" && run "${sbx[@]}" --approver "$ws/link" -- sh -c 'ln -sfn ask link; echo x >"$1"' sh "$outside/f")
ok "a link in the workspace, turned: nothing of the command's ran" absent "$pwned"
honest "$scratch/ask"
ln "$scratch/ask" "$ws/second"
not_run "another name of the approver" "$ws/second" --approver "$scratch/ask"
rm "$scratch/ask"
printf '#!%s/shell\n' "$ws" >"$scratch/ask" && chmod 755 "$scratch/ask"
cp -L /bin/sh "$ws/shell" && chmod 755 "$ws/shell"
not_run "the interpreter of a script" "$ws/shell" --approver "$scratch/ask"
honest "$scratch/ask"
BASH_ENV=$ws/env not_run "what the interpreter loads first" "$ws/env" --approver "bash $scratch/ask"
if have PROGRAM python3; then
	for how in "python3 -c 'import secrets'" "python3 $scratch/ask.py"; do
		echo 'import secrets' >"$scratch/ask.py"
		rm -f "$pwned"
		(cd "$ws" && PYTHONPATH=$ws run "${sbx[@]}" --approver "$how" -- sh -c 'printf "%s\n" "$1" >secrets.py; echo x >"$2"' sh \
			"open('$pwned','w')" "$outside/f")
		ok "a module in the workspace: $how" absent "$pwned"
	done
	rm -f "$ws/secrets.py"
fi

# The other ways to name one.
printf '[sbx]\napprover = ["/bin/sh", "%s/ask"]\n' "$ws" >"$HOME/.codex/config.toml"
honest "$ws/ask"
not_run "sbx.approver with an argument in the workspace" "$ws/ask"
printf '[features]\nexperimental_sandbox_command_assessment = true\n[sbx.assessor]\ncommand = ["%s/ask"]\n' "$ws" \
	>"$HOME/.codex/config.toml"
honest "$ws/ask"
not_run "an assessor" "$ws/ask" --approver false
printf '[features]\nexperimental_sandbox_command_assessment = true\n[sbx.assessor]\ncommand = "sh %s/ask"\n' "$ws" \
	>"$HOME/.codex/config.toml"
honest "$ws/ask"
not_run "an assessor as a command line" "$ws/ask" --approver false
rm "$HOME/.codex/config.toml"
for name in approve select wrap; do
	printf '#!/bin/sh\nexec %s/sbx-%s "$@"\n' "$SBX" "$name" >"$ws/stage"
	chmod 755 "$ws/stage"
	rm -f "$pwned"
	honest "$scratch/ask"
	run "${sbx[@]}" --stage "$name=$ws/stage" --approver "$scratch/ask" -- \
		sh -c "$attack" sh "$scratch/evil" "$ws/stage" "$outside/f"
	is "--stage $name in the workspace is refused" "$status" 125
	like "... and named" "$err" "--stage: \"$ws/stage\": .*working directory"
	ok "--stage $name: it did not run outside" absent "$pwned"
done
mkdir "$outside/root"
printf '#!/bin/sh\nexec %s/sbx-approve "$@"\n' "$SBX" >"$outside/root/stage"
chmod 755 "$outside/root/stage"
run "${sbx[@]}" --add-dir "$outside/root" --stage "approve=$outside/root/stage" -- true
is "--stage in another writable root" "$status" 125
run "${sbx[@]}" --stage "approve=$outside/root/stage" -- true
is "control: the same stage where nothing makes it writable" "$status" 0

# A session asks for others: what they can write counts.
honest "$ws/ask"
rm -f "$pwned"
run "$SBX/sbx-approve" --serve --approver "$ws/ask" -- "${sbx[@]}" -- \
	sh -c "$attack" sh "$scratch/evil" "$ws/ask" "$outside/f"
ok "the session's approver in the workspace did not run" absent "$pwned"

# What was granted to the first attempt is written as well.
tool=$outside/tools/ask
cat >"$tool" <<END
#!/bin/sh
cat >/dev/null
echo '{"decision":"approved","grant":{"write":["$outside/tools"]}}'
END
chmod 755 "$tool"
rm -f "$pwned" "$outside/f"
run "$SBX/sbx-run" -s workspace-write -a untrusted -C "$ws" --approver "$tool" -- \
	sh -c "$attack" sh "$scratch/evil" "$tool" "$outside/f"
ok "an approver in a directory that it granted: rewritten" cmp -s "$scratch/evil" "$tool"
ok "... and not asked again" absent "$pwned"

# Others than the command.
honest "$scratch/ask"
rm -f "$scratch/asked"
(cd "$ws" && run "${sbx[@]}" --approver "$scratch/ask" -- sh -c 'echo x >"$1"' sh "$outside/f")
is "control: an approver that only its user can write is asked" "$(wc -l <"$scratch/asked")" 1
mkdir "$scratch/shared"
honest "$scratch/shared/ask"
for mode in 775 757; do
	rm -f "$scratch/asked"
	chmod $mode "$scratch/shared"
	run "${sbx[@]}" --approver "$scratch/shared/ask" -- sh -c 'echo x >"$1"' sh "$outside/f"
	ok "a directory of mode $mode: not asked" absent "$scratch/asked"
	chmod 755 "$scratch/shared"
	chmod $mode "$scratch/shared/ask"
	run "${sbx[@]}" --approver "$scratch/shared/ask" -- sh -c 'echo x >"$1"' sh "$outside/f"
	ok "a file of mode $mode: not asked" absent "$scratch/asked"
	like "... and it is said" "$err" 'others can write it'
	chmod 755 "$scratch/shared/ask"
done
rm -f "$scratch/asked"
run "${sbx[@]}" --approver "$scratch/shared/ask" -- sh -c 'echo x >"$1"' sh "$outside/f"
is "control: mode 755" "$(wc -l <"$scratch/asked")" 1

# A script finds its own files, and a program its name.
mkdir "$scratch/two words"
printf '#!/bin/sh\n. "$(dirname "$0")/lib"\n' >"$scratch/two words/ask"
printf 'cat >/dev/null\necho asked >>%s/asked\necho "{\\"decision\\":\\"denied\\"}"\n' "$scratch" >"$scratch/two words/lib"
chmod 755 "$scratch/two words/ask"
rm -f "$scratch/asked"
run "${sbx[@]}" --approver "$scratch/two words/ask" -- sh -c 'echo x >"$1"' sh "$outside/f"
is "control: a script finds what is next to it" "$(wc -l <"$scratch/asked")" 1
finish
