#!/bin/bash
# The test library itself: an assertion that is false is reported as false.
. "${0%/*}/lib/lib.sh"

# A test in a process of its own; prints its TAP and then "exit CODE".
test_of() {
	mkdir -p "$scratch/inner/lib"
	cp "$TESTS"/lib/{lib,proof}.sh "$scratch/inner/lib/"
	{
		echo '. "${0%/*}/lib/lib.sh"'
		cat
	} >"$scratch/inner/x.t"
	SBX_BUILD=$BUILD bash "$scratch/inner/x.t" 2>&1
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

# What a path is like, and everything that makes it another.
mkdir -p "$outside/d/e"
echo 'some text' >"$outside/d/f"
ln -s f "$outside/d/l"
touch -d @1 "$outside/d/f"
before=$(state "$outside/d")
is "the same is the same" "$(state "$outside/d")" "$before"
for change in 'echo "same size" >d/f; touch -d @1 d/f' 'touch d/f' 'chmod 600 d/f' 'chmod 700 d' 'ln -sf e d/l' \
	'ln d/f x' 'rmdir d/e' 'mkfifo d/p' 'mv d/f d/g' 'rm -r d'; do
	cp -a "$outside" "$scratch/changed"
	(cd "$scratch/changed" && eval "$change")
	isnt "a change is seen: $change" "$(state "$scratch/changed/d")" "$before"
	rm -rf "$scratch/changed"
done

# t/run, with tests of its own; what they leave is in $scratch/seen.
mkdir -p "$scratch/tree/t/lib" "$scratch/tree/share" "$scratch/tree/build/bin"
mkdir -m 777 "$scratch/seen"
chmod 755 "$scratch"
: >"$scratch/tree/Makefile"
cp "$TESTS/run" "$scratch/tree/t/"
cp "$TESTS"/lib/{lib,proof}.sh "$scratch/tree/t/lib/"
# planted NAME [WORD] <script
planted() {
	{
		echo '. "${0%/*}/lib/lib.sh"'
		echo "${2-}"
		echo "cd '$scratch/seen' || exit"
		cat
		echo finish
	} >"$scratch/tree/t/$1.t"
	sed -i '1i #!/bin/bash' "$scratch/tree/t/$1.t"
	chmod 755 "$scratch/tree/t/$1.t"
}
planted 1000-first-time <<'END'
is "the second time" "$(ls -d failed-$EUID)" "failed-$EUID"
touch "failed-$EUID"
END
for name in 2000 2001 2002; do
	planted $name-busy <<<'touch busy-$$; sleep 0.5; rm busy-$$; pass one'
done
planted 2001-alone quiet <<'END'
for _ in 1 2 3 4 5 6 7 8 9 10; do
	is "nobody else" "$(echo busy*)" "busy*"
	sleep 0.05
done
END
planted 3000-whoever anyone <<'END'
echo "$EUID$(long one many)" >>ran
pass one
END
run env -u LONG JOBS=4 "$scratch/tree/t/run" 2000 2001 2002 3000
is "a quiet test runs beside no other" "$status" 0
is "what is the same for anyone runs once" "$(wc -l <"$scratch/seen/ran")" 1
like "... with the usual figure" "$(cat "$scratch/seen/ran")" '^[1-9][0-9]*one$|^0one$'
rm -f "$scratch/seen/ran"
run env LONG=1 JOBS=4 "$scratch/tree/t/run"
is "a long run: what makes a difference" "$status" 0
like "... with the large figure" "$(tail -n 1 "$scratch/seen/ran")" '^[0-9]+many$'
unlike "... and nothing else" "$out" 'busy|first-time'
run "$scratch/tree/t/run" 1000
isnt "a test that fails the first time has failed" "$status" 0
passes=$(find "$scratch/seen" -name 'failed-*' | wc -l)
is "... and is not repeated" "$(grep -c 'first-time.t .*Failed' "$scratch/.out")" "$passes"
finish
