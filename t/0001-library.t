#!/bin/bash
# The test library itself: an assertion that is false is reported as false.
. "${0%/*}/lib/lib.sh"

# A test in a process of its own; prints its TAP and then "exit CODE".
test_of() {
	mkdir -p "$scratch/inner/lib"
	cp "$TESTS/lib/lib.sh" "$scratch/inner/lib/"
	{
		echo '. "${0%/*}/lib/lib.sh"'
		cat
	} >"$scratch/inner/x.t"
	bash "$scratch/inner/x.t" 2>&1
	echo "exit $?"
}

# How often a line appears.
lines() { grep -cE -- "$2" <<<"$1"; }

tap=$(
	test_of <<'END'
is one a b
isnt two a a
like three abc '^b'
unlike four abc b
ok five false
not_ok six true
denied seven "$outside/x" -- true
box=(env)
denied eight "$outside/x" -- touch "$outside/x"
finish
END
)
is "a false assertion of every kind is not ok" "$(lines "$tap" '^not ok')" 8
like "and the test exits non-zero" "$tap" '^exit 1$'
like "what was got is shown" "$tap" '^# got: +a$'

tap=$(
	test_of <<'END'
is one a a
isnt two a b
like three abc '^a'
unlike four abc d
ok five true
not_ok six false
box=(false)
denied seven "$outside/x" -- touch "$outside/x"
finish
END
)
is "true ones are ok" "$(lines "$tap" '^ok')" 8
like "and the test exits zero" "$tap" '^exit 0$'

tap=$(test_of <<<'pass one')
like "a test that ends early fails" "$tap" '^exit 1$'
tap=$(test_of <<<'finish')
like "a test without assertions fails" "$tap" '^exit 1$'
tap=$(test_of <<<'need PROGRAM no-such-program')
like "a missing prerequisite is named" "$tap" '^1\.\.0 # SKIP .*no-such-program'
export SBX_SESSION=x CODEX_HOME=y
tap=$(test_of <<<'is leak "${SBX_SESSION-}${CODEX_HOME-}" ""; finish')
like "settings of the caller do not reach a test" "$tap" '^ok 1 - leak'
unset SBX_SESSION CODEX_HOME
tap=$(test_of <<<'mkdir -m 0 "$scratch/shut"; echo "at $scratch"; pass one; finish')
at=$(sed -n 's/^at //p' <<<"$tap")
ok "the scratch directory is removed" absent "$at"
finish
