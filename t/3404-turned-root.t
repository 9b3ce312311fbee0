#!/bin/bash
# A root that is reached through a link stays the root that somebody named: the
# command cannot turn the link for the next run.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/config.sh"

secret=$scratch/secret
mkdir "$secret" "$ws/real"
# The next run, with the same settings: what can it write through the name?
reaches() {
	rm -f "$secret/reached"
	boxed touch "$ws/root/reached"
	exists "$secret/reached"
}
turn=(ln -sfn "$secret" "$ws/root")
set -- "a configured root" "--add-dir" "--add-dir, relative" "a permission set" "a workspace of a set"
for how; do
	rm -f "$ws/root" && ln -s real "$ws/root"
	config ''
	case $how in
	"a configured root") config '[sandbox_workspace_write]' "writable_roots = [\"$ws/root\"]" && set_box ;;
	"--add-dir") set_box --add-dir "$ws/root" ;;
	"--add-dir, relative") cd "$ws" && set_box --add-dir ./root ;;
	"a permission set")
		config '[permissions.p]' 'extends = ":workspace"' '[permissions.p.filesystem]' "\"$ws/root\" = \"write\""
		box=("$SBX/sbx-run" -P p -a never -C "$ws" --)
		;;
	"a workspace of a set")
		config '[permissions.p]' 'extends = ":workspace"' '[permissions.p.workspace_roots]' "\"$ws/root\" = true"
		box=("$SBX/sbx-run" -P p -a never -C "$ws" --)
		;;
	esac
	not_ok "control: $how: the secret is closed" reaches
	ok "control: $how: what the link leads to is open" exists "$ws/real/reached"
	rm -f "$ws/real/reached"
	"${turn[@]}"
	ok "control: $how: with the link turned by the user, the secret is open" reaches
	ln -sfn real "$ws/root"
	boxed "${turn[@]}"
	not_ok "$how: the command turned it for nothing" reaches
	is "$how: the link is as it was" "$(readlink "$ws/root")" real
	boxed sh -c "rm '$ws/root'; mv '$ws/root' '$ws/old'; ln -s '$secret' '$ws/root'"
	is "$how: not by another way, either" "$(readlink "$ws/root")" real
	rm -rf "$ws/real/reached" "$ws/old"
done
finish
