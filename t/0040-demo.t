#!/bin/bash
# The demonstration shows what holds, and says so when it does not.
. "${0%/*}/lib/lib.sh"
need USERNS

run env SBX_BUILD="$BUILD" "$TESTS/demo"
is "it ends well" "$status" 0
is "nothing is wrong" "$(grep -c WRONG <<<"$out")" 0
like "a write in the project works" "$out" '^ok +compile.* worked'
like "a write outside is refused" "$out" '^ok +write beside.* refused'
like "a hook is refused" "$out" '^ok +add a git hook.* refused'
like "the network is refused" "$out" '^ok +open a network connection.* refused'
like "each says why" "$out" 'Read-only file system'
if have OBSERVER; then
	like "the report names the file and what allows it" "$out" 'create elsewhere/main.c \(cp\).* allow with: --add-dir elsewhere'
fi
like "what is allowed is explained, with its source" "$out" '^ +project/.git +read +protected name'
like "... and the workspace" "$out" '^ +project +write +workspace'
ok "it is short" test "$(wc -l <<<"$out")" -lt 38

# A launcher that only runs the command.
mkdir -p "$scratch/fake/bin"
cat >"$scratch/fake/bin/sbx-run" <<'END'
#!/bin/bash
while [ "$1" != -- ]; do [ "$1" != -C ] || cd "$2"; shift; done
shift
exec "$@"
END
chmod +x "$scratch/fake/bin/sbx-run"
run env HOME="$scratch" SBX_BUILD="$scratch/fake" "$TESTS/demo"
isnt "control: without a sandbox it ends badly" "$status" 0
is "control: and every promise but the first is wrong" "$(grep -c '^WRONG' <<<"$out")" 6
like "control: which it says" "$out" 'NOT as promised'
finish
