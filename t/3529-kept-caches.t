#!/bin/bash
# What is kept of caches is listed, removed, bounded and goes when nobody needs it;
# --allow cache:X makes what it opens, in the home directory and through no link.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
export HOME=${scratch:?}/home
kept=$HOME/.local/state/sbx/caches
other=$scratch/other
mkdir -p "$HOME/.cache" "$other" "$scratch/bait"
echo bait >"$scratch/bait/file"
caches() { run "$SBX/sbx-policy" --caches "$@"; }
in_other() { run "$SBX/sbx-run" -s workspace-write -a never -C "$other" -- "$@"; }
column() { awk -v c="$1" '{ print $c }' <<<"$out"; }

caches
is "nothing is kept, nothing is listed" "$status$out$err" 0
boxed sh -c 'dd if=/dev/zero of=$HOME/.cache/big bs=1M count=3 2>/dev/null; ln -s "$0" ~/.cache/link' "$scratch/bait"
in_other sh -c 'echo x >~/.cache/small; mkdir -p ~/.cache/a/b; chmod 0 ~/.cache/a'
caches
is "both workspaces are listed" "$(awk '{ print $NF }' <<<"$out" | sort)" "$(printf '%s\n' "$other" "$ws" | sort)"
like "with their size" "$(grep -F "$ws" <<<"$out")" '^ *3[.][0-9]M '
like "and the day of the last use" "$out" " $(date +%Y-%m-%d) "
caches --clear "$other"
like "one is removed" "$out" "removed .*$other"
caches
is "the other one is still there" "$(awk '{ print $NF }' <<<"$out")" "$ws"
boxed sh -c 'test -f ~/.cache/big'
is "... and what is in it" "$status" 0
in_other sh -c 'test -e ~/.cache/small'
is "what was removed is not found again" "$status" 1

# One that is in use stays.
mkfifo "$scratch/hold"
"${box[@]}" sh -c 'echo up; cat' <"$scratch/hold" >"$scratch/up" 2>/dev/null &
user=$!
kill_later "$user"
exec 7>"$scratch/hold"
eventually 10 grep -q up "$scratch/up"
caches
like "it is called in use" "$(grep -F "$ws" <<<"$out")" "in use"
caches --clear --all
is "--all: what is in use is kept, with status 1" "$status" 1
like "and said" "$out" "in use .*$ws"
exec 7>&-
wait "$user"
boxed sh -c 'test -f ~/.cache/big'
is "and is there" "$status" 0
(cd "$ws" && "$SBX/sbx-policy" --caches --clear >/dev/null)
is "--clear alone is for the workspace here" "$(find "$kept" -name big)" ""
caches --clear --all
is "--all leaves nothing" "$status $(find "$kept" -mindepth 1 -maxdepth 1 -type d)" "0 "
is "no link was followed" "$(cat "$scratch/bait/file")" bait
for wrong in "--clear" "--all" "--caches --all" "--caches /x" "--caches --clear --all /x" "--caches --explain"; do
	# shellcheck disable=SC2086 # several words
	run "$SBX/sbx-policy" $wrong
	is "$wrong: wrong usage" "$status" 2
done

# There is a bound, looked at once a day.
fill() { boxed sh -c 'dd if=/dev/zero of=$HOME/.cache/big bs=1M count='"$1"' 2>/dev/null'; }
home=
tomorrow() { touch -d '2 days ago' "$home/swept"; }
set_box -c 'sbx.caches.max="64M"'
fill 1
home=$(find "$kept" -mindepth 1 -maxdepth 1 -type d)
tomorrow
boxed true
is "what is below it stays" "$(find "$kept" -name big | wc -l)" 1
fill 70
is "not looked at again on the same day" "$(find "$kept" -name big | wc -l)" 1
tomorrow
boxed true
is "what is above it goes" "$(find "$kept" -name big | wc -l)" 0
boxed sh -c 'echo x >~/.cache/again'
is "and the next run can write" "$status" 0
run_sbx -c 'sbx.caches.max="7"' -- true
is "another word is an error" "$status" 125
set_box

# What nobody has used for a month, or whose workspace is gone, goes.
in_other sh -c 'echo x >~/.cache/small'
old() { touch -d "$1" "$(dirname "$(readlink -f "$kept")")/caches/$2"; }
theirs=$(basename "$(dirname "$(find "$kept" -name workspace -lname "$other")")")
old '29 days ago' "$theirs"
touch -d '2 days ago' "$kept/swept"
boxed true
ok "a month is not over: it stays" exists "$kept/$theirs"
old '31 days ago' "$theirs"
touch -d '2 days ago' "$kept/swept"
boxed true
ok "it is over: it goes" absent "$kept/$theirs"
in_other true
rm -rf "$other"
old '2 days ago' "$theirs"
touch -d '2 days ago' "$kept/swept"
boxed true
ok "its workspace is gone: it goes" absent "$kept/$theirs"

# --allow cache:X makes what it opens.
allow() { run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow "$@"; }
unset npm_config_cache CARGO_HOME PIP_CACHE_DIR XDG_CACHE_HOME GOCACHE GOMODCACHE
allow cache:npm -- sh -c 'echo x >~/.npm/_cacache/x'
is "a missing cache of the host is made and opened" "$status$err $(cat "$HOME/.npm/_cacache/x")" "0 x"
is "... for the user alone" "$(stat -c %a "$HOME/.npm" "$HOME/.npm/_cacache" | sort -u)" 700
allow cache:cargo -- sh -c 'echo x >~/.cargo/.package-cache; echo x >~/.cargo/registry/index/x'
is "with its files" "$status$err $(cat "$HOME/.cargo/.package-cache" "$HOME/.cargo/registry/index/x")" "0 x
x"
ln -s "$scratch/bait" "$HOME/.cache/pip"
allow cache:pip -- sh -c 'echo x >~/.cache/pip/new'
ok "through no link" absent "$scratch/bait/new"
rm "$HOME/.cache/pip"
allow cache:pip --dry-run -- true
ok "who only looks makes nothing" absent "$HOME/.cache/pip"

# What caches are mounted on where the host has none is taken from what the last run had,
# also below a directory that several of them have above them.
mkdir "$scratch/new" "$scratch/tools"
for tool in chromium cypress gcloud gimp; do ln -s /bin/true "$scratch/tools/$tool"; done
in_new() { HOME=$scratch/new PATH=$scratch/tools:$PATH boxed "$@"; }
spare() { (cd "$scratch"/new/.local/state/sbx/caches/*/*/pool && stat -c '%n %i' ./* | sort -V); }
in_new sh -c 'mkdir ~/.config/chromium/made && ls -d ~/.config/[Ccg]*'
like "control: several in a directory that is missing" "$(xargs <<<"$out")" 'Cypress.*chromium.*gcloud'
ok "control: ... which is not kept" absent "$scratch/new/.config"
before=$(spare)
is "they are counted without a gap" "$(sed 's:^./::; s: .*::' <<<"$before" | xargs)" "$(seq 0 $(($(wc -l <<<"$before") - 1)) | xargs)"
in_new true
is "and the next run has the same ones" "$(spare | cut -d' ' -f2 | sort)" "$(cut -d' ' -f2 <<<"$before" | sort)"
finish
