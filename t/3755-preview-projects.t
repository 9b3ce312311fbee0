#!/bin/bash
# Real projects come out of a preview that is applied as they come out of a run without
# one: contents, modes, times, links, which names are one file.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
git_home
in_tmp

# What is there; of what is new the time is only that it is (run and preview take theirs).
manifest() { # DIRECTORY
	(cd "$1" && find . -mindepth 1 -printf '%P|%y|%m|%n|%l|%s|' \( -newer "$scratch/start" -printf 'new\n' -o -printf '%T@\n' \) |
		sed 's/\(|[d]|[0-7]*|[0-9]*||\)[0-9]*/\1/' | LC_ALL=C sort
		find . -type f -exec sha256sum {} + | LC_ALL=C sort)
}

# same DESCRIPTION MAKE COMMAND...: MAKE fills a directory, which is $1
same() {
	local what=$1 make=$2 id
	shift 2
	rm -rf "$scratch/plain" "$scratch/tried"
	mkdir "$scratch/plain"
	"$make" "$scratch/plain" >"$scratch/.ok" 2>&1
	cp -a "$scratch/plain" "$scratch/tried"
	touch "$scratch/start"
	sleep 0.02
	# The same path in both, since some write it down.
	for tree in plain tried; do
		rm -rf "$ws"
		mv "$scratch/$tree" "$ws"
		if [ "$tree" = plain ]; then
			run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" "${more[@]}" -- "$@"
			is "control: $what" "$status" 0
		else
			# Names that are protected before they exist come and go in their directories.
			before=$(manifest "$ws" | grep -v '|d|')
			run "$SBX/sbx-run" --preview -a never -C "$ws" "${more[@]}" -- "$@"
			is "$what: it works in a preview" "$status" 0
			is "$what: without an effect" "$(manifest "$ws" | grep -v '|d|')" "$before"
			id=$("$SBX/sbx-run" --changes | head -n 1 | cut -d ' ' -f 1)
			run "$SBX/sbx-run" --apply "$id"
			is "$what: it is applied" "$status $err" "0 "
		fi
		mv "$ws" "$scratch/$tree"
	done
	is "$what: the same result" "$(diff <(manifest "$scratch/plain") <(manifest "$scratch/tried"))" ""
}

sources() {
	mkdir -p "$1/src"
	printf 'all: prog lib.a\nprog: src/main.c src/f.c\n\t$(CC) -o $@ $^\nlib.a: src/f.c\n\t$(CC) -c -o src/f.o $<\n\tar rcD $@ src/f.o\nclean:\n\trm -rf prog lib.a src/*.o\n' >"$1/Makefile"
	printf 'int f(void);\nint main(void) { return f(); }\n' >"$1/src/main.c"
	printf 'int f(void) { return 0; }\n' >"$1/src/f.c"
}
repository() {
	sources "$1"
	git -C "$1" init -q && git -C "$1" add . && git -C "$1" commit -qm first
	git -C "$1" checkout -qb other && echo other >"$1/other" && chmod 755 "$1/other" && ln -s other "$1/link" &&
		git -C "$1" rm -q src/f.c && git -C "$1" add . && git -C "$1" commit -qm second && git -C "$1" checkout -q main
	git -C "$1" gc -q
}
more=()
have PROGRAM cc && same "make" sources sh -c 'make && ./prog && rm -f src/f.o && touch -d 2001-01-01 src/f.c'
more=(--allow git)
export GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'
same "git: another branch" repository sh -c 'rm -rf build; git checkout -q other && rm -f .git/index && find .git/logs -type f -delete'
same "git: moving, adding" repository sh -c 'mv Makefile M && mkdir n && mv src/main.c n && echo x >>M && git add -A && git write-tree && rm .git/index'
diverged() {
	repository "$1"
	echo more >"$1/more" && git -C "$1" add . && git -C "$1" commit -qm third && echo kept >>"$1/Makefile"
}
same "git: rebase, merge, stash, gc" diverged sh -c 'git stash -q && git rebase -q other && git stash pop -q && git checkout -q -b merged other~ &&
	git -c rerere.enabled=true merge -q -m merged main && git cherry-pick --no-commit main~ && git gc -q && rm -f .git/index .git/ORIG_HEAD && find .git/logs -type f -delete'
more=()
if have PROGRAM npm; then
	package() {
		mkdir -p "$1/lib"
		echo '{"name":"p","version":"1.0.0","dependencies":{"l":"file:./lib"},"scripts":{"build":"mkdir -p dist && cp lib/index.js dist/ && chmod 755 dist/index.js"}}' >"$1/package.json"
		echo '{"name":"l","version":"1.0.0","bin":{"l":"index.js"}}' >"$1/lib/package.json"
		echo '#!/usr/bin/env node' >"$1/lib/index.js"
	}
	same "npm" package sh -c 'npm install --offline --no-audit --no-fund >/dev/null && npm run -s build && rm -f node_modules/.package-lock.json'
fi
if have PROGRAM cargo; then
	crate() {
		mkdir -p "$1/src"
		printf '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n' >"$1/Cargo.toml"
		echo 'fn main() {}' >"$1/src/main.rs"
	}
	# Its notes of times differ from run to run.
	same "cargo" crate sh -c 'cargo build -q --offline && cp target/debug/p . && rm -rf target && mkdir target'
fi
finish
