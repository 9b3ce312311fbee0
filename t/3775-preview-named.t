#!/bin/bash
# What something on the host would run, load or follow later is named in the list of changes
# and in the question, however deep it lies and whatever else there is.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/screen.sh"
need USERNS
need OVERLAY
git_home
try=("$SBX/sbx-run" --preview -a never --report off -C "$ws" --)
id() { "$SBX/sbx-run" --changes | head -n 1 | cut -d ' ' -f 1; }
list() { run env -C "$ws" "$SBX/sbx-run" --changes "$(id)"; }
# named DESCRIPTION PATH REASON: in a row of its own, with the reason
named() { like "$1" "$out" "^  [a-z]+ +$2.*  !! $3"; }

echo old >"$ws/plain"
echo all: >"$ws/Makefile"
run "${try[@]}" sh -c 'mkdir -p t/a/b; cd t; echo x >a/one; echo x >a/two; git init -q a/b/repo
	echo evil >a/b/repo/.git/hooks/post-checkout; git config --file a/b/repo/.git/config core.pager evil
	git init -q --bare bare; echo evil >bare/hooks/update
	mkdir w; echo "gitdir: /somewhere" >w/.git
	mkdir -p a/h/.hg; echo evil >a/h/.hg/hgrc; echo evil >a/.envrc; mkdir -p a/.vscode .github/workflows; echo x >a/.vscode/tasks.json
	echo x >.github/workflows/ci.yml; echo x >a/conftest.py; echo x >a/package.json; echo x >a/sitecustomize.py; echo x >a/AGENTS.md
	echo x >a/tool; chmod 755 a/tool; ln -s /etc/passwd a/out; ln -s ../../../../up a/up; ln -s one a/in; ln -s ../../plain a/inside
	echo >"$(printf "a/x\nadded    fine")"; echo x >>../Makefile; echo y >>../plain; chmod 755 ../plain'
list
like "what comes as a whole is one row" "$out" "^  added    t/ with [0-9]+ in it"
unlike "... and what is ordinary in it has none" "$out" "t/a/(one|two|in|inside)( |$)"
unlike "... nor what git never runs" "$out" "\.sample"
named "a hook of a new repository" "t/a/b/repo/\.git/hooks/post-checkout" "git runs or obeys it"
named "its config" "t/a/b/repo/\.git/config" "git runs or obeys it"
named "a hook of a bare one" "t/bare/hooks/update" "git runs or obeys it"
named "a pointer to another" "t/w/\.git" "git runs or obeys it"
named "another version control's" "t/a/h/\.hg/hgrc" "another version control obeys it"
named "for shells" "t/a/\.envrc" "runs when a shell"
named "for editors" "t/a/\.vscode/tasks\.json" "runs in an editor"
named "for servers" "t/\.github/workflows/ci\.yml" "runs on a server"
named "for tests" "t/a/conftest\.py" "runs in a build"
named "for installs" "t/a/package\.json" "runs in a build"
named "for interpreters" "t/a/sitecustomize\.py" "an interpreter loads it"
named "for agents" "t/a/AGENTS\.md" "agents obey it"
named "a program" "t/a/tool" "can be executed"
named "a link out" "t/a/out \(link\) to /etc/passwd" "leads out of the writable roots"
named "... by its steps" "t/a/up \(link\) to \.\./" "leads out of the writable roots"
named "a recipe that has changed" "Makefile" "runs in a build"
named "what can be executed now" "plain" "can be executed"
is "no name makes a row" "$(grep -c '^added' <<<"$out")" 0
run "$SBX/sbx-run" --changes --json "$(id)"
is "for programs: where it leads, and why" "$(jq -r '.list[] | select(.target == "/etc/passwd").warning' <<<"$out")" "leads out of the writable roots"
is "... and how many there are" "$(jq '.warned == ([.list[] | select(.warning)] | length)' <<<"$out")" true
"$SBX/sbx-run" --discard "$(id)"

# Decoys do not push it out: of ten thousand others, nor of those that are named as well.
run "${try[@]}" sh -c 'mkdir d; cd d; seq -f "a%g" 11000 | xargs touch; seq -f "m%g.mk" 700 | xargs touch; mkdir -p z/z; git init -q z/z/r; echo evil >z/z/r/.git/hooks/pre-commit'
run "$SBX/sbx-run" --changes --json "$(id)"
is "the list is cut" "$(jq .cut <<<"$out")" true
is "... and still has it" "$(jq -r '.list[] | select(.path | endswith("hooks/pre-commit")).warning' <<<"$out")" "git runs or obeys it"
"$SBX/sbx-run" --discard "$(id)"
asks='for later '
at_screen 80 q "$SBX/sbx-run" --preview -C "$ws" -- sh -c 'seq -f "a%g" 100 | xargs touch; seq -f "m%g.mk" 100 | xargs touch; mkdir -p z/z; git init -q z/z/r; echo evil >z/z/r/.git/hooks/pre-commit'
is "what is kept for later ends the run well" "$status" 0
like "the end of a run names it among hundreds" "$rows" "added    z/z/r/\.git/hooks/pre-commit .*!! git runs or"
like "... and says how many others there are" "$rows" "and 80 more  !! runs in a build"
like "... and so does the question" "$(unfolded)" "look at  added $ws/z/z/r/\.git/hooks/pre-commit +!! git runs or obeys it"
"$SBX/sbx-run" --discard "$(id)"
finish
