#!/bin/bash
# --allow: caches, devices, and what a variable cannot make of them.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

mkdir -p "$HOME/.cargo/registry/cache" "$HOME/.cargo/registry/src" "$HOME/.cargo/git/db" "$HOME/.cargo/bin" "$HOME/.npm/_cacache" "$HOME/.npm/_npx" "$HOME/.cache/pip" "$HOME/.ssh" \
	"$HOME/alt/cargo/registry/cache" "$HOME/.config" "$ws/cache/registry/cache" "$outside/registry/cache"
writes() { ask '[.policy.permissions.fs[] | select(.access == "write") | .path | select(startswith($h)) | ltrimstr($h)] | join(" ")' --arg h "$HOME/"; }
policy_ww --allow cache:cargo
is "cargo: its downloads, not its programs" "$status$err $(writes)" "0 .cargo/registry/cache"
is "its source" "$(ask '.policy.sources.writable_roots[] | select(.root == $p) | .source' --arg p "$HOME/.cargo/registry/cache")" "flag --allow cache:cargo"
policy_ww --allow cache:npm --allow cache:pip
is "two presets" "$(writes)" ".cache/pip .npm/_cacache"
policy_ww --allow cache:sccache
is "nothing there: nothing added" "$status $(writes)" "0 "
like "... and said" "$err" 'cache:sccache: nothing of it exists'
with() { run env "$1" "$SBX/sbx-policy" -C "$ws" -s workspace-write --allow "$2" -- true; }
with CARGO_HOME="$HOME/alt/cargo" cache:cargo
is "a variable in the home directory" "$(writes)" "alt/cargo/registry/cache"
for bad in "$ws/cache" "$outside" / "$HOME" "$HOME/.config" "$HOME/.ssh" relative "$HOME/none"; do
	with CARGO_HOME="$bad" cache:cargo
	is "a variable that is not believed: ${bad#"$scratch"}" "$status $(writes) $(entry "$outside/registry/cache")" "0 .cargo/registry/cache absent"
	like "... and said" "$err" 'CARGO_HOME.*not used'
done
with PIP_CACHE_DIR="$HOME/.ssh" cache:pip
is "keys are no cache" "$(writes)" ".cache/pip"
mkdir -p "$HOME/xdg/pip"
with XDG_CACHE_HOME="$HOME/xdg" cache:pip
is "XDG_CACHE_HOME" "$(writes)" "xdg/pip"
rm -r "$HOME/.cache/pip" && ln -s "$outside" "$HOME/.cache/pip"
policy_ww --allow cache:pip
is "a cache that is a link out of the home directory" "$(writes) $(entry "$outside")" " absent"

policy_ww --allow shm
is "shm" "$(entry /dev/shm)" "$([ -d /dev/shm ] && echo write || echo absent)"
is "... without protected names in it" "$(entry /dev/shm/.git)" absent
policy_ww --allow gpu
is "gpu" "$status" 0
policy_ww --allow cache:nonsense
like "unknown" "$status $err" '^3 .*preset "cache:nonsense": no such preset'
policy -s danger-full-access --allow git
is "not without a sandbox" "$status" 2
if have USERNS && [ -d /dev/shm ] && [ -w /dev/shm ]; then
	mark=/dev/shm/sbx-t.$$
	set_box --allow shm
	boxed touch "$mark"
	ok "shm really is the host's" test -e "$mark"
	rm -f "$mark"
	set_box
	boxed touch "$mark"
	ok "control: without it, it is not" absent "$mark"
	set_box --allow cache:cargo
	boxed touch "$HOME/.cargo/registry/cache/x" "$HOME/.cargo/bin/x"
	ok "the cache is writable" test -e "$HOME/.cargo/registry/cache/x"
	ok "... the programs are not" absent "$HOME/.cargo/bin/x"
fi

# Caches that are missing are those of tools on PATH, however its directories can be read.
mkdir "$scratch"/{few,many,closed,plain}
for i in $(seq 2000); do printf '%s\n' "$scratch/many/some-program-$i"; done | xargs touch
touch "$scratch"/few/{rustc,cargo2} "$scratch/plain/mvn"
for tool in few/stack many/opam closed/julia; do
	printf '#!/bin/sh\n' >"$scratch/$tool"
	chmod +x "$scratch/$tool"
done
chmod 311 "$scratch/closed"
tools() { ask '[.policy.caches[].path | select(startswith($h)) | ltrimstr($h) | select(test("stack|opam|julia|m2|elm"))] | sort | join(" ")' --arg h "$HOME/"; }
on() {
	run env PATH="$1" "$SBX/sbx-policy" -C "$ws" -s workspace-write -- true
	tools
}
is "control: no such tool" "$(on /nonexistent)" ""
is "a tool in a small directory, a large one, and one that is only searched" \
	"$(on "$scratch/few:$scratch/few:$scratch/plain:$scratch/many:$scratch/closed")" ".julia .opam .stack"
chmod 755 "$scratch/closed"
finish
