#!/bin/bash
# Where a container masks parts of /proc, the kernel lets no fresh one be
# mounted, and the sandbox shows the one that is there: said, and known before.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
need USERNS
need LANDLOCK 1
cd "$ws" || exit 1

masked() { unshare -Urm bash -c 'mount -t tmpfs none /proc/fs && exec "$@"' masked "$@"; }
lost() { field '[.sandbox.lost[].guarantee] | join(" ")'; }

# Somebody outside, and whether a command in the sandbox sees what it was started with.
sleep 987654 &
kill_later $!
sees=(bash -c 'for f in /proc/[0-9]*/cmdline; do tr "\0" " " <"$f"; done 2>/dev/null | grep -c "sleep 98765[4]"')

doc "$approved" >"$scratch/doc"
run "$SBX/sbx-select" <"$scratch/doc"
is "control: nothing is lost where nothing is masked" "$(lost)" ""
is "... and a fresh one can be had" "$(field .sandbox.capabilities.fresh_proc)" true
boxed "${sees[@]}"
is "... which shows nobody outside" "$out" 0

run masked "$SBX/sbx-select" <"$scratch/doc"
is "masked: what is lost is named" "$(lost)" process-visibility
like "... with a cure" "$(field '.sandbox.lost[0].cure')" systempaths=unconfined
is "... and the sandbox is the same otherwise" "$(field .sandbox.backend)" bubblewrap
run masked "${box[@]}" "${sees[@]}"
is "... and it is so: the outside is seen" "$out" 1

# A doomed attempt costs as much as the one that then works.
run masked "${box[@]:0:1}" --dry-run "${box[@]:1}" true
like "no fresh one is tried in vain" "$(field '.exec.argv | join(" ")')" ' --no-proc (--no-system-bwrap )?-- true$'
run "${box[@]:0:1}" --dry-run "${box[@]:1}" true
unlike "control: elsewhere it is" "$(field '.exec.argv | join(" ")')" ' --no-proc '
if have PROGRAM strace; then
	masked strace -f -qq -e trace=mount -o "$scratch/trace" "${box[@]}" true >/dev/null 2>&1
	is "... nor by the helper" "$(grep -c '"proc", .*"proc"' "$scratch/trace")" 0
	strace -f -qq -e trace=mount -o "$scratch/trace" "${box[@]}" true >/dev/null 2>&1
	is "control: it is one mount" "$(grep -c '"proc", .*"proc"' "$scratch/trace")" 1
fi

# Process numbers of its own and the /proc of others: who is inside is another one there, and
# what is looked up or watched by number is somebody else.
astray() { unshare -Urpf --kill-child "$@"; }
helper() { "$@" "$SBX/sbx-linux-sandbox" --policy '{"permissions":{"network":"off","fs":[{"path":"/","access":"read"}]}}' --cwd / -- echo ran; }
run astray "$SBX/sbx-select" <"$scratch/doc"
is "the /proc of others: no namespaces" "$(field .sandbox.capabilities.userns)" false
unlike "... no broker either" "$(field .sandbox.reason)" broker
run helper
is "control: the helper runs a command" "$out" ran
run helper astray
is "the /proc of others: it does not" "$status $out" "125 "
like "... and says why" "$err" 'proc here is not of this process namespace'
run astray "$SBX/sbx-select" --probe
like "... as the probe does" "$out" '^FAIL user namespaces: the /proc here is not of'
if have LANDLOCK 3; then
	run astray "$SBX/sbx-run" -s read-only -a never -C "$ws" -- sh -c 'echo ran; echo x >made'
	is "what Landlock alone can hold runs" "$out" ran
	ok "... and is held" absent "$ws/made"
fi

run masked "$SBX/sbx-select" --probe
is "the probe tries it in the same way" "$status" 0
like "... and says what is seen" "$out" '^note fresh /proc: .*shows the processes outside'

# A look that fails is no look at a /proc of others, where less would have to do.
blind() { strace -f -qq -o "$scratch/trace" -P /proc/self -e trace='?readlink,readlinkat' -e inject='?readlink,readlinkat:error=ENOMEM' "$@"; }
if have PROGRAM strace; then
	run blind "$SBX/sbx-select" <"$scratch/doc"
	is "where the look fails nothing is chosen" "$status $(field .error.code) $(field .sandbox)" "5 system null"
	run blind "${box[@]}" sh -c ': >made'
	is "... and nothing runs" "$status $(absent "$ws/made" && echo none)" "125 none"
	like "... which is said" "$err" '^sbx-run: looking at /proc/self: '
fi
finish
