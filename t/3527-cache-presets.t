#!/bin/bash
# A preset for a cache opens data: nothing that a tool runs, loads or links into
# other projects when it is used outside.
. "${0%/*}/lib/lib.sh"
need SANDBOX
export HOME=$scratch/home
mkdir "$HOME"

# opens TOOL PATH: a command can change it
opens() {
	mkdir -p "$HOME/${2%/*}"
	: >"$HOME/$2"
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow "cache:$1" -- sh -c 'echo planted >"$1"' sh "$HOME/$2"
	[ -s "$HOME/$2" ]
}
while read -r tool path; do
	not_ok "cache:$tool keeps ~/$path" opens "$tool" "$path"
done <<'END'
bazel .cache/bazel/_bazel_me/install/abc/A-server.jar
bazel .cache/bazel/_bazel_me/cache/repos/v1/x
bun .bun/install/cache/left-pad@1.0.0/index.js
cargo .cargo/registry/src/index/left-pad-1.0.0/build.rs
cargo .cargo/git/checkouts/x/build.rs
cargo .cargo/git/db/x/config
cargo .cargo/bin/cargo
ccache .cache/ccache/ccache.conf
composer .cache/composer/vcs/x/config
deno .cache/deno/npm/registry/x/index.js
go go/pkg/mod/example.org/x@v1/x.go
go go/pkg/mod/golang.org/toolchain@v0.0.1/bin/go
go go/pkg/mod/cache/vcs/x/config
gradle .gradle/native/abc/libnative.so
gradle .gradle/caches/8.0/scripts/x.class
gradle .gradle/daemon/8.0/registry.bin
maven .m2/repository/plugin/plugin.jar
npm .npm/_npx/abc/node_modules/.bin/x
nuget .nuget/packages/x/1.0/tools/x.dll
pnpm .local/share/pnpm/store/v3/files/00/x
pnpm .cache/pnpm/dlx/x/index.js
poetry .cache/pypoetry/virtualenvs/x/bin/python
uv .cache/uv/archive-v0/x/x.py
yarn .yarn/berry/cache/x.zip
zig .cache/zig/o/abc/build
END
while read -r tool path; do
	ok "control: cache:$tool opens ~/$path" opens "$tool" "$path"
done <<'END'
cargo .cargo/registry/cache/index/x.crate
cargo .cargo/registry/index/x/cache
ccache .cache/ccache/a/b
composer .cache/composer/files/x.zip
go go/pkg/mod/cache/download/x/x.zip
go .cache/go-build/00/x-d
huggingface .cache/huggingface/hub/x/blob
npm .npm/_cacache/content-v2/x
pip .cache/pip/http-v2/x
poetry .cache/pypoetry/artifacts/x.whl
sccache .cache/sccache/a/b
yarn .cache/yarn/v6/x
END
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow cache:pnpm -- true
is "one that opens nothing does not stop the command" "$status" 0
like "... and says what helps" "$err" '--allow cache:pnpm: nothing was added: .*--store-dir'
finish
