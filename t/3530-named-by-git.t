#!/bin/bash
# What git's configuration names cannot be changed from inside, without any
# option: hooks, included settings, the programs of filters and the rest.
. "${0%/*}/lib/lib.sh"
slow
. "${0%/*}/lib/policy.sh"
need SANDBOX
git_home

marker=$outside/ran
evil="printf '#!/bin/sh\ntouch $marker\n'"

# repository DIRECTORY: a new one, with a commit
git init -q "$scratch/new"
git -C "$scratch/new" commit -q --allow-empty -m one
repository() {
	rm -rf "$1"
	mkdir -p "${1%/*}"
	cp -a "$scratch/new" "$1"
}

# What a person does later, on the host.
host_git() {
	cd "$1" || return
	touch "$RANDOM.txt"
	git status
	git add -A
	git diff --cached
	git commit -qm later
	git log -1
	git config --get-all x.y
	cd /
} >/dev/null 2>&1

# runs_nothing DESCRIPTION DIRECTORY SCRIPT [OPTION...]: the script, run in $ws, plants a
# program that the host's git in the directory runs; not from the sandbox.
runs_nothing() {
	local what=$1 where=$2 script=$3
	shift 3
	rm -rf "$marker" "$scratch/copy"
	cp -a "$scratch/ws" "$scratch/copy"
	unboxed sh -c "$script"
	host_git "$where"
	ok "control: $what" exists "$marker"
	rm -rf "$marker" "$scratch/ws"
	cp -a "$scratch/copy" "$scratch/ws"
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" "$@" -- sh -c "$script; true"
	is "$what: the command ran" "$status" 0
	host_git "$where"
	ok "nothing runs: $what" absent "$marker"
	rm -rf "$marker" "$scratch/ws"
	cp -a "$scratch/copy" "$scratch/ws"
}
plant() { echo "rm -f '$1'; mkdir -p '$(dirname "$1")'; $evil >'$1'; chmod +x '$1'"; }

# ---- hooks -------------------------------------------------------------------
repository "$ws"
mkdir -p "$ws/.husky/_" "$ws/.githooks" "$ws/scripts"
echo 'exec "$(dirname "$0")/../$(basename "$0")"' >"$ws/.husky/_/pre-commit"
printf '#!/bin/sh\ntrue\n' >"$ws/.husky/pre-commit"
cp "$ws/.husky/pre-commit" "$ws/.githooks/pre-commit"
cp "$ws/.husky/pre-commit" "$ws/scripts/check"
chmod +x "$ws"/.husky/_/* "$ws"/.husky/pre-commit "$ws"/.githooks/* "$ws"/scripts/*
git -C "$ws" config core.hooksPath .githooks
runs_nothing "core.hooksPath, a hook that is there" "$ws" "$(plant .githooks/pre-commit)"
runs_nothing "core.hooksPath, a new hook" "$ws" "$(plant .githooks/post-commit)"
runs_nothing "core.hooksPath, its directory replaced" "$ws" "mv .githooks old; $(plant .githooks/pre-commit)"
git -C "$ws" config core.hooksPath "$ws/missing/hooks"
runs_nothing "core.hooksPath that does not exist" "$ws" "$(plant missing/hooks/pre-commit)"
git -C "$ws" config core.hooksPath .husky/_
runs_nothing "husky, its own directory" "$ws" "$(plant .husky/_/pre-commit)"
runs_nothing "husky, the project's script" "$ws" "$(plant .husky/pre-commit)"
ln -s .githooks "$ws/linked"
git -C "$ws" config core.hooksPath linked
runs_nothing "core.hooksPath through a link, which is turned" "$ws" "$(plant other/pre-commit); ln -sfT other linked"
git -C "$ws" config --unset core.hooksPath
ln -s ../../scripts/check "$ws/.git/hooks/pre-commit"
runs_nothing "a hook that is a link to a script of the project" "$ws" "$(plant scripts/check)"
rm "$ws/.git/hooks/pre-commit"
mv "$ws/.git/hooks" "$ws/.githooks/all"
ln -s ../.githooks/all "$ws/.git/hooks"
runs_nothing "a hooks directory that is a link" "$ws" "$(plant .githooks/all/pre-commit)"

# ---- settings ------------------------------------------------------------------
repository "$ws"
settings="printf '[core]\n\tfsmonitor = $ws/planted\n' >../ws/NAME; $(plant planted)"
git -C "$ws" config include.path ../.gitconfig
runs_nothing "an included file that is missing" "$ws" "${settings/NAME/.gitconfig}"
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- git status
is "... git works inside meanwhile" "$status $err" "0 "
ok "... and nothing is left behind" absent "$ws/.gitconfig"
echo '[alias]' >"$ws/.gitconfig"
runs_nothing "an included file" "$ws" "${settings/NAME/.gitconfig}"
printf '[include]\n\tpath = "deep/second.inc"\n' >"$ws/.gitconfig"
runs_nothing "a file that an included file includes" "$ws" "mkdir -p deep; ${settings/NAME/deep/second.inc}"
git -C "$ws" config --unset include.path
git -C "$ws" config "includeIf.gitdir:$ws/.path" ../.when
echo >"$ws/.when"
runs_nothing "a file of includeIf" "$ws" "${settings/NAME/.when}"
mv "$ws/.git/config" "$ws/settings"
ln -s ../settings "$ws/.git/config"
runs_nothing "a config that is a link into the work tree" "$ws" "${settings/NAME/settings}"

# ---- programs ------------------------------------------------------------------
repository "$ws"
mkdir "$ws/tools"
printf '#!/bin/sh\ncat\n' >"$ws/tools/run"
chmod +x "$ws/tools/run"
echo '*.txt filter=x diff=x merge=x' >"$ws/.gitattributes"
plant=$(plant tools/run)
for key in core.fsmonitor filter.x.clean filter.x.process; do
	git -C "$ws" config "$key" tools/run
	runs_nothing "$key" "$ws" "$plant"
	git -C "$ws" config --unset "$key"
done
for value in 'sh tools/run' "sh -c 'cat; ./tools/run'" '"tools/run" -x' "X=1 tools/run | cat"; do
	git -C "$ws" config filter.x.clean "$value"
	runs_nothing "filter.x.clean = $value" "$ws" "$plant"
done
git -C "$ws" config filter.x.clean 'sh absent/filter.sh'
runs_nothing "a program that is missing" "$ws" "$(plant absent/filter.sh)"
git -C "$ws" config --unset filter.x.clean
cp "$ws/tools/run" "$ws/filter.sh"
git -C "$ws" config filter.x.clean 'sh filter.sh'
runs_nothing "an argument without a slash" "$ws" "$(plant filter.sh)"
git -C "$ws" config --unset filter.x.clean

# The others, by what the policy says: every key that runs something, each a program of its own.
keys=()
for key in core.sshCommand core.pager pager.log core.editor sequence.editor core.askPass filter.x.smudge \
	diff.external diff.x.command diff.x.textconv merge.x.driver mergetool.x.cmd difftool.x.path gpg.program \
	gpg.x509.program gpg.ssh.defaultKeyCommand credential.https://a.helper uploadpack.packObjectsHook \
	remote.o.uploadpack remote.o.receivepack interactive.diffFilter browser.x.cmd man.x.cmd web.browser \
	sendemail.smtpServer trailer.x.command trailer.x.cmd core.gitProxy alias.x submodule.x.update; do
	value=$ws/tools/${key//[:\/]/-}.sh
	: >"$value"
	keys+=("$key")
	case $key in alias.* | submodule.*) value="!$value" ;; esac
	git -C "$ws" config "$key" "$value"
done
git -C "$ws" config x.y tools/run
policy_ww
protected=$(ask '.policy.permissions.fs[] | select(.access == "read") | .path')
for key in "${keys[@]}"; do
	like "$key: read-only" "$protected" "^$ws/tools/${key//[:\/]/-}.sh$"
done
entry_is "$ws/tools/run" absent
for key in "${keys[@]}"; do git -C "$ws" config --unset "$key"; done
policy_ww
is "control: no other setting is one" "$(ask '[.policy.permissions.fs[].path | select(contains("/tools"))]')" '[]'
rm "$ws"/tools/*.sh

# ---- usual work ------------------------------------------------------------------
git -C "$ws" config core.pager 'less -R'
git -C "$ws" config core.editor tools
git -C "$ws" config alias.l '!git log -- tools && sed -e s/a/b/ x/y/z'
git -C "$ws" config alias.short 'log -- tools/run'
git -C "$ws" config credential.helper store
git -C "$ws" config core.fsmonitor false
policy_ww
is "words of PATH, options and directories are left alone" \
	"$(ask '[.policy.permissions.fs[].path | select(startswith($w)) | ltrimstr($w)] | join(" ")' --arg w "$ws/")" ".agents .codex .git"
set_box
allowed "a file of the project" "$ws/tools/run" -- "$TRY" append "$ws/tools/run"
git -C "$ws" config core.hooksPath .
boxed true
like "hooks in the workspace itself: that is said" "$err" "core.hooksPath names \"$ws\""
git -C "$ws" config core.hooksPath tools
run "$SBX/sbx-policy" -s workspace-write -C "$ws" --explain
like "the reason is shown" "$out" "tools.*named by git's core.hooksPath"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --add-dir "$ws/tools" --)
allowed "control: who names the directory has it" "$ws/tools/new" -- "$TRY" open "$ws/tools/new"
set_box

# ---- other repositories ------------------------------------------------------------
repository "$ws"
repository "$ws/vendor/lib"
mkdir "$ws/vendor/lib/.githooks"
git -C "$ws/vendor/lib" config core.hooksPath .githooks
runs_nothing "a nested repository" "$ws/vendor/lib" "$(plant vendor/lib/.githooks/pre-commit)"

repository "$scratch/lib"
git -C "$ws" -c protocol.file.allow=always submodule --quiet add "$scratch/lib" sub 2>/dev/null
git -C "$ws/sub" config core.hooksPath .githooks
runs_nothing "a submodule" "$ws/sub" "$(plant sub/.githooks/pre-commit)"
git -C "$ws" config extensions.worktreeConfig true
git -C "$ws" config --worktree core.hooksPath own-hooks
runs_nothing "config.worktree" "$ws" "$(plant own-hooks/pre-commit)"

repository "$scratch/main"
git -C "$scratch/main" config core.hooksPath .githooks
rm -rf "$ws"
git -C "$scratch/main" worktree add -q "$ws"
runs_nothing "a linked worktree" "$ws" "$(plant .githooks/pre-commit)"
runs_nothing "a linked worktree, with --allow git" "$ws" "$(plant .githooks/pre-commit)" --allow git

repository "$scratch/whole"
git -C "$scratch/whole" config core.hooksPath ws/hooks
mkdir "$scratch/whole/ws"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$scratch/whole/ws" --)
denied "the workspace is a part of a repository" "$scratch/whole/ws/hooks" -- sh -c "mkdir -p '$scratch/whole/ws/hooks'; $(plant "$scratch/whole/ws/hooks/pre-commit")"
set_box

repository "$ws"
git config --global core.hooksPath .githooks
runs_nothing "the user's own settings, for every repository" "$ws" "$(plant .githooks/pre-commit)"
git config --global core.hooksPath "$ws/.githooks"
runs_nothing "the user's own settings, by a whole path" "$scratch/lib" "$(plant .githooks/pre-commit)"
git config --global --unset core.hooksPath
mkdir -p "$HOME/.config/git"
printf '[core]\n\thooksPath = .githooks\n' >"$HOME/.config/git/config"
runs_nothing "the other file of the user" "$ws" "$(plant .githooks/pre-commit)"
rm "$HOME/.config/git/config"
cp "$HOME/.gitconfig" "$ws/dot.gitconfig"
ln -sf "$ws/dot.gitconfig" "$HOME/.gitconfig"
runs_nothing "the user's file is a link into the workspace" "$ws" \
	"$(plant planted); printf '[core]\n\tfsmonitor = $ws/planted\n' >>dot.gitconfig"
rm "$HOME/.gitconfig"
mv "$ws/dot.gitconfig" "$HOME/.gitconfig"
for variable in GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM; do
	repository "$ws"
	cp "$HOME/.gitconfig" "$ws/settings"
	export "$variable=$ws/settings"
	runs_nothing "$variable names a file in the workspace" "$ws" \
		"$(plant planted); printf '[core]\n\tfsmonitor = $ws/planted\n' >>settings"
	(unset "$variable" && repository "$ws")
	cp "$HOME/.gitconfig" "$ws/settings"
	git config -f "$ws/settings" core.hooksPath .githooks
	runs_nothing "... and what that file names" "$ws" "$(plant .githooks/pre-commit)"
	export "$variable=/dev/null"
	boxed true
	is "... or none" "$status$err" 0
	unset "$variable"
done
finish
