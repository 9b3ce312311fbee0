#!/bin/bash
# With the home directory writable, from wherever in it, what runs later on the
# host (start-up files, keys, settings that name programs) stays as it is.
. "${0%/*}/lib/lib.sh"

home=$scratch/home
mkdir -p "$home/work/deep" "$home/.ssh" "$home/.config/systemd/user" "$home/.config/chromium" "$home/dotfiles"
echo 'echo mine' >"$home/.bashrc"
echo 'key' >"$home/.ssh/authorized_keys"
echo '# mine' >"$home/dotfiles/profile"
ln -s dotfiles/profile "$home/.profile"
export HOME=$home

tries() {
	denied "$1: .bashrc" "$home/.bashrc" -- "$TRY" append "$home/.bashrc"
	denied "$1: .bashrc, removed" "$home/.bashrc" -- rm -f "$home/.bashrc"
	denied "$1: .bashrc, replaced" "$home/.bashrc" -- sh -c "echo evil >$home/new; mv -f $home/new $home/.bashrc; rm -f $home/new"
	denied "$1: an authorized key" "$home/.ssh" -- "$TRY" append "$home/.ssh/authorized_keys"
	denied "$1: .ssh, moved" "$home/.ssh" -- sh -c "mv $home/.ssh $home/away && mkdir $home/.ssh; rm -rf $home/away"
	denied "$1: a service" "$home/.config" -- "$TRY" open "$home/.config/systemd/user/evil.service"
	denied "$1: .config, moved" "$home/.config" -- sh -c "mv $home/.config $home/away && mkdir -p $home/.config/systemd; rm -rf $home/away"
	# Elsewhere a command has a copy of it.
	denied "$1: a browser's profile" "$home/.config/chromium" -- "$TRY" open "$home/.config/chromium/Preferences"
	denied "$1: a link" "$home/.profile" -- sh -c "ln -sf /tmp/evil $home/.profile"
	denied "$1: where it leads" "$home/dotfiles/profile" -- "$TRY" append "$home/dotfiles/profile"
	allowed "control: $1: another file" "$home/file" -- "$TRY" open "$home/file"
	rm -f "$home/file"
	allowed "control: $1: another of its settings" "$home/.config/other" -- "$TRY" open "$home/.config/other"
	rm -f "$home/.config/other"
}
box=("$SBX/sbx-run" -s workspace-write -a never -C "$home" --)
tries "the workspace is the home directory"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$scratch" --)
tries "around it"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$home/work/deep" --add-dir "$home" --)
tries "from a child, the home directory added"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$home/work" --add-dir "$home/.ssh" --)
allowed "who names such a place has it" "$home/.ssh/known_hosts" -- "$TRY" open "$home/.ssh/known_hosts"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$home/.config/systemd/user" --add-dir "$home" --)
allowed "or a place in it" "$home/.config/systemd/user/x" -- "$TRY" open "$home/.config/systemd/user/x"
denied "... and no more" "$home/.config/systemd/x" -- "$TRY" open "$home/.config/systemd/x"

if have OBSERVER; then
	# What is said to allow it does.
	saying() { jq -r '[.result.denials[] | .allow_with // "nothing"] | unique | join(" ")' <<<"$out"; }
	run_sbx -s workspace-write -a never -C "$ws" --json -- sh -c 'echo evil >>"$HOME/.bashrc"'
	is "no option opens a start-up file" "$(saying)" nothing
	run_sbx -s workspace-write -a never -C "$home" --json -- sh -c 'echo evil >>"$HOME/.bashrc"'
	is "... of the workspace, either" "$(saying)" nothing
	run_sbx -s workspace-write -a never -C "$home" --json -- touch "$home/.ssh/new"
	is "a directory is named itself" "$(saying)" "--add-dir $home/.ssh"
	run_sbx -s workspace-write -a never -C "$home" --add-dir "$home/.ssh" -- touch "$home/.ssh/new"
	is "... which is enough" "$status" 0
	run_sbx -s workspace-write -a never -C "$ws" --json -- touch "$home/plain"
	is "what lies beside them: a home directory is never the least" "$(saying)" nothing
else
	skip "what is said to allow it" "denials are not observed here"
fi

# The one that is registered for this user, whatever HOME says.
registered=$(awk -F: -v id="$(id -u)" '$3 == id { print $6; exit }' /etc/passwd)
if [ -n "$registered" ] && [ "$registered" != / ] && [ -d "$registered" ] && [ -x "$registered" ] && [ -r "$registered" ]; then
	run "$SBX/sbx-policy" -s workspace-write -C "$registered" -- true
	like "a root with the user's home directory is noted" "$err" "\"$(realpath "$registered")\" is writable and contains your home directory"
	for name in .bashrc .profile .ssh; do
		exists "$registered/$name" || continue
		is "... and its $name is kept" "$(jq -r --arg p "$(realpath "$registered")/$name" '.policy.permissions.fs[] | select(.path == $p) | .access' <<<"$out")" read
	done
else
	skip "the registered home directory" "user $(id -u) has none in /etc/passwd"
fi
if have MOUNTS; then
	# What is missing there cannot be kept away; it is told.
	printf 'root:x:0:0::%s:/bin/sh\n' "$home" >"$scratch/passwd"
	registered() { unshare -m --propagation private sh -c 'mount --bind "$1" /etc/passwd && shift && exec "$@"' sh "$scratch/passwd" "$@"; }
	run registered "$SBX/sbx-run" -s workspace-write -a never -C "$home" -- sh -c 'echo evil >.bash_profile; mkdir .gnupg; echo x >x'
	like "what appears in it and runs later is told" "$err" "\"$home/.bash_profile\" was created during the run \\(runs later"
	like "... what holds keys as well" "$err" "\"$home/.gnupg\" was created during the run \\(keys"
	is "... and nothing else" "$(grep -c 'was created' <<<"$err")" 2
	run registered "$SBX/sbx-run" -s workspace-write -a never -C "$home" -- true
	is "... once" "$(grep -c 'was made' <<<"$err")" 0
	rm -rf "$home/.bash_profile" "$home/.gnupg"
else
	skip "what appears in the registered home directory" "only root with mounts of its own can register one for this test"
fi
run "$SBX/sbx-policy" -s workspace-write -C "$home" -- true
is "control: another is not noted" "$status$err" 0
finish
