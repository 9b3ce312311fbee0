#!/bin/bash
# In a directory that is no repository the sandbox cannot plant one, and git
# on the host executes nothing that a hostile run left behind.
. "${0%/*}/lib/lib.sh"
need PROGRAM git

marker=$outside/marker
cat >"$ws/evil" <<END
#!/bin/sh
touch "$marker"
exit 1
END
chmod +x "$ws/evil"
plant="git init -q . && git config core.fsmonitor $ws/evil && git config core.pager $ws/evil"
host_git() {
	git -C "$ws" status >/dev/null 2>&1
	git -C "$ws" diff >/dev/null 2>&1
	git -C "$ws" log >/dev/null 2>&1
	git -C "$ws" add -A >/dev/null 2>&1
	git -C "$ws" -c user.name=t -c user.email=t@t commit -qm x >/dev/null 2>&1
	git -C "$ws" checkout -q . >/dev/null 2>&1
}

unboxed sh -c "$plant"
host_git
ok "control: a planted repository runs code on the host" test -e "$marker"
rm -rf "$ws/.git" "$marker"

boxed sh -c "$plant"
ok "git init in a plain directory makes nothing" absent "$ws/.git"
host_git
ok "and git on the host runs nothing" absent "$marker"
rm -f "$marker"

denied "a prepared directory is not renamed to .git" "$ws/.git" -- \
	sh -c 'mkdir -p p/objects p/refs && echo "ref: x" >p/HEAD && mv -T p .git; rm -rf p'

# git also takes a directory with HEAD, objects and refs for one.
cat >"$scratch/bare" <<END
#!/bin/sh
mkdir -p objects refs/heads
echo "ref: refs/heads/main" >HEAD
printf '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n' >config
printf '\tfsmonitor = $ws/evil\n\tpager = $ws/evil\n' >>config
END
chmod +x "$scratch/bare"
bare_away() { rm -rf "$ws"/objects "$ws"/refs "$ws"/HEAD* "$ws"/config "$ws"/index "$marker"; }
unboxed "$scratch/bare"
host_git
ok "control: a bare one runs code on the host as well" test -e "$marker"
bare_away
boxed "$scratch/bare"
is "the command itself succeeds" "$status" 0
like "... and is found out" "$err" "the command turned \"$ws\" into a git repository; its HEAD was renamed to HEAD.sbx so that git ignores it"
is "nothing is lost" "$(cat "$ws/HEAD.sbx")" "ref: refs/heads/main"
host_git
ok "git on the host runs nothing" absent "$marker"
boxed "$scratch/bare"
is "another name is found for another one" "$(cat "$ws"/HEAD.sbx*)" "$(printf 'ref: refs/heads/main\n%.0s' 1 2)"
bare_away
boxed sh -c "$scratch/bare; chmod 555 ."
like "a directory that the command closed is opened for it" "$err" "HEAD was renamed to HEAD.sbx"
is "... and left as it was" "$(stat -c %a "$ws") $(cd "$ws" && echo HEAD*)" "555 HEAD.sbx"
chmod 755 "$ws"
bare_away
boxed sh -c "mkdir in; cd in; $scratch/bare; cd ..; echo in >commondir; echo ref: refs/heads/x >HEAD"
like "so is one whose parts lie elsewhere" "$err" "HEAD was renamed to HEAD.sbx"
host_git
ok "... git runs nothing" absent "$marker"
rm -rf "$ws/in" "$ws/commondir"
bare_away
mkdir "$ws/.git"
boxed "$scratch/bare"
like "... and beside a .git that is empty" "$err" "HEAD was renamed to HEAD.sbx"
rmdir "$ws/.git"
bare_away
for first in 'echo "ref: refs/heads/main" >HEAD' 'mkdir HEAD'; do
	boxed sh -c "$first"
	is "one half of it, $first: nothing is said" "$status$err" 0
	boxed sh -c "rmdir HEAD 2>/dev/null; $scratch/bare"
	like "... and the other by the next command: found out" "$err" "HEAD was renamed to HEAD.sbx"
	host_git
	ok "... git runs nothing" absent "$marker"
	bare_away
done
boxed sh -c 'echo x >HEAD; mkdir objects'
is "a HEAD that makes no repository stays" "$status$err$(cat "$ws/HEAD")" "0x"
bare_away
for name in HEAD src/HEAD; do
	run "$SBX/sbx-policy" -s workspace-write -C "$ws" --check-path write "$name"
	is "file tools cannot make $name, either" "$status $(jq -r .allowed <<<"$out")" "1 false"
done
run "$SBX/sbx-policy" -s workspace-write -C "$ws" --check-path write HEADER .git/HEAD src/x
is "control: other names" "$(jq -sc '[.[].allowed]' <<<"$out")" "[true,false,true]"

# An existing repository, and every setting that names a program.
git init -q "$ws"
git -C "$ws" add evil
git -C "$ws" -c user.name=t -c user.email=t@t commit -qm one
cat >"$ws/attack" <<'END'
#!/bin/sh
evil=$PWD/evil
for key in core.fsmonitor core.pager core.editor core.sshCommand diff.external filter.x.clean \
	filter.x.smudge core.hooksPath gpg.program credential.helper; do
	git config "$key" "$evil"
	printf '[%s]\n\t%s = %s\n' "${key%.*}" "${key##*.}" "$evil" >>.git/config
done
for hook in pre-commit post-checkout post-commit post-index-change prepare-commit-msg; do
	cp evil ".git/hooks/$hook"
done
mkdir -p .git/info
echo '* filter=x' >.git/info/attributes
printf '[include]\n\tpath = %s\n' "$PWD/planted" >>.git/config
printf '[core]\n\tfsmonitor = %s\n' "$evil" >planted
mv .git .git-away && cp -r .git-away .git && git config core.fsmonitor "$evil"
rm -rf .git-away
exit 0
END
chmod +x "$ws/attack"
cp -a "$ws" "$scratch/saved"
unboxed ./attack
host_git
ok "control: the attack works without the sandbox" test -e "$marker"
rm -rf "$ws" "$marker"
cp -a "$scratch/saved" "$ws"
before=$(state "$ws/.git")
boxed ./attack
is "the repository is as it was" "$(state "$ws/.git")" "$before"
host_git
ok "git on the host runs nothing after it" absent "$marker"
finish
