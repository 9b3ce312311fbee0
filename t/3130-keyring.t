#!/bin/bash
# The kernel keys of the caller can be neither read nor replaced.
. "${0%/*}/lib/lib.sh"

name=sbx-t-$$
# with_key COMMAND...: in a session that holds a key
cat >"$scratch/with-key" <<END
#!/bin/bash
"$TRY" add_key "$name" secret >/dev/null || exit 99
"\$@"
"$TRY" read_key "$name" | sed 's/^/after: /'
END
chmod +x "$scratch/with-key"
with_key() { run "$TRY" keyring "$scratch/with-key" "$@"; }

with_key true
if [ "$status" = 99 ] || ! grep -q '^after: value' <<<"$out"; then
	skip_all "this machine has no kernel keys for this user"
fi
with_key "$TRY" read_key "$name"
like "control: the key is read without the sandbox" "$out" '^value secret'
with_key "$TRY" add_key "$name" replaced
like "control: and replaced" "$out" 'after: value replaced'

for network in off on; do
	set_box --network "$network"
	with_key "${box[@]}" "$TRY" read_key "$name"
	unlike "$network: the key is not read" "$(grep -v '^after' <<<"$out")" 'secret|^read_key ok'
	with_key "${box[@]}" "$TRY" add_key "$name" replaced
	like "$network: the key is not replaced" "$out" 'after: value secret'
	like "$network: key calls are refused" "$out" '^add_key E'
done
finish
