#!/bin/bash
# What real tools cache is found again by the next run, and the host's caches stay as
# they were: npm ci, go build, cargo build, pip install and ccache.
# slow
. "${0%/*}/lib/lib.sh"
slow
need USERNS
need OVERLAY
made=$scratch/made
mkdir "$made"
export GOFLAGS=-mod=mod GOTOOLCHAIN=local CARGO_NET_OFFLINE=true npm_config_audit=false npm_config_update_notifier=false

# host_state: all that is in the home but what sbx keeps
host_state() { state "$HOME" | grep -v -e '^|' -e '^\.local\(/state\)\?\(/sbx.*\)\?|'; }

outside() { unboxed unshare -Urn sh -c "ip link set lo up; $1"; }

# again TOOL FIRST SECOND: in a home that has a cache of the tool, SECOND works only
# with what FIRST has cached.  Outside in a network of its own, as the sandbox has one.
again() {
	local tool=$1 first=$2 second=$3 before
	export HOME=$scratch/none-$tool
	mkdir "$HOME"
	outside "$second"
	isnt "control: $tool: without what was cached it fails" "$status" 0
	export HOME=$scratch/home-$tool
	mkdir -p "$HOME/.cache/$tool"
	before=$(host_state)
	boxed sh -c "$first"
	is "$tool: it works" "$status" 0 || show_run
	is "... the host's caches are as they were" "$(host_state)" "$before"
	boxed sh -c "$second"
	is "... and the next run finds what was cached" "$status" 0 || show_run
	is "... the host's caches are still as they were" "$(host_state)" "$before"
	outside "$first"
	isnt "control: $tool: without the sandbox it changes them" "$(host_state)" "$before"
	chmod -R u+rwX "$HOME" "$scratch/none-$tool"
}

cd "$ws" || exit
if have PROGRAM npm; then
	mkdir "$made/b"
	echo '{"name":"b","version":"1.0.0"}' >"$made/b/package.json"
	echo '{"name":"a","version":"1.0.0","dependencies":{"b":"file:b.tgz"}}' >package.json
	(export HOME=$made && cd "$made/b" && npm pack -s >/dev/null && cp b-1.0.0.tgz "$ws/b.tgz" && cd "$ws" &&
		npm install -s --package-lock-only) || echo "Bail out! npm cannot make a package"
	again npm 'npm ci' 'mv b.tgz away; npm ci --offline; s=$?; mv away b.tgz; rm -rf node_modules; exit $s'
else
	skip "npm" "it is not installed"
fi
if have PROGRAM go; then
	printf 'module a\n\ngo 1.18\n' >go.mod
	printf 'package main\n\nimport "a/b"\n\nfunc main() { b.F() }\n' >a.go
	mkdir b
	printf 'package b\n\nfunc F() {}\n' >b/b.go
	again go 'go build -o x .' 'go build -x -o x . 2>said && ! grep -q "compile.* a/b" said'
else
	skip "go" "it is not installed"
fi
if have PROGRAM ccache; then
	echo 'int x;' >a.c
	again ccache 'ccache cc -c a.c' 'ccache -z && ccache cc -c a.c && ccache --print-stats | grep -q "^direct_cache_hit.1$"'
else
	skip "ccache" "it is not installed"
fi
# The one of rustup has nothing to call in a new home.
if HOME=$made cargo --version >/dev/null 2>&1; then
	mkdir -p crates/index/1 b-1.0.0/src src .cargo
	printf '[package]\nname = "b"\nversion = "1.0.0"\n' >b-1.0.0/Cargo.toml
	: >b-1.0.0/src/lib.rs
	tar czf crates/b-1.0.0.crate b-1.0.0
	printf '{"name":"b","vers":"1.0.0","deps":[],"features":{},"cksum":"%s","yanked":false}\n' \
		"$(sha256sum crates/b-1.0.0.crate | cut -d' ' -f1)" >crates/index/1/b
	printf '[source.crates-io]\nreplace-with = "here"\n[source.here]\nlocal-registry = "%s"\n' "$ws/crates" >.cargo/config.toml
	printf '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2018"\n[dependencies]\nb = "1.0.0"\n' >Cargo.toml
	echo 'fn main() {}' >src/main.rs
	again cargo 'cargo build' 'rm -rf target; mv crates/b-1.0.0.crate away; : >crates/b-1.0.0.crate
		cargo build; s=$?; mv away crates/b-1.0.0.crate; exit $s'
else
	skip "cargo" "it is not installed"
fi
if /usr/bin/python3 -c 'import setuptools, wheel, pip' 2>/dev/null; then
	mkdir -p serve/simple/a a-1
	printf 'from setuptools import setup\nsetup(name="a", version="1", py_modules=["a"])\n' >a-1/setup.py
	printf 'Metadata-Version: 1.0\nName: a\nVersion: 1\n' >a-1/PKG-INFO
	echo 'x = 1' >a-1/a.py
	tar czf serve/a-1.tar.gz a-1
	echo '<a href="/a-1.tar.gz">a-1.tar.gz</a>' >serve/simple/a/index.html
	cat >pip.sh <<-'END'
		/usr/bin/python3 -m http.server --bind 127.0.0.1 --directory serve 8000 >/dev/null 2>&1 &
		until curl -s -o /dev/null http://127.0.0.1:8000/; do kill -0 $! || exit; done
		rm -rf out
		/usr/bin/python3 -m pip install --no-build-isolation --no-deps --target out \
			--index-url http://127.0.0.1:8000/simple a
		status=$?
		kill $!
		exit $status
	END
	again pip 'sh ./pip.sh' 'mv serve/a-1.tar.gz away; sh ./pip.sh; s=$?; mv away serve/a-1.tar.gz; exit $s'
else
	skip "pip" "it is not installed"
fi
finish
