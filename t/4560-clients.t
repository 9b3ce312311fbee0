#!/bin/bash
# The clients for Python and Node, from the checkout, do what they say; the wheel is one.
. "${0%/*}/lib/lib.sh"
need SANDBOX
need PROGRAM python3
export HOME=$scratch/home
mkdir -m 700 "$HOME"
clients=$SHARE/clients
version=$("$SBX/sbx-run" --version | awk '{print $2; exit}')
[ -x /usr/bin/python3 ] && python=/usr/bin/python3 || python=$(command -v python3)
# Beside the programs that are tested, as a package has them.
mkdir -p "$scratch/python/sbx_programs" "$scratch/node/programs"
cp "$clients/python/sbx.py" "$scratch/python/"
cp "$clients/node/"* "$scratch/node/"
ln -s "$SBX" "$scratch/python/sbx_programs/bin"

claims() { # NAME COMMAND...
	local line last=
	while IFS= read -r line; do
		last=$line
		case $line in
		"ok "*) pass "$1: ${line#* - }" ;;
		"not ok "*) fail "$1: ${line#* - }" "$(cat "$scratch/said")" ;;
		esac
	done < <("${@:2}" 2>"$scratch/said")
	like "$1: all of them" "$last" '^1\.\.[0-9]+$'
}
mkdir "$ws/python" "$outside/python"
claims python env PYTHONPATH="$scratch/python" PYTHONDONTWRITEBYTECODE=1 "$python" "$TESTS/helper/clients/claims.py" "$ws/python" "$outside/python"
if have PROGRAM node && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ]; then
	mkdir -p "$scratch/node/programs/$(node -p process.arch)" "$ws/node" "$outside/node"
	ln -s "$SBX" "$scratch/node/programs/$(node -p process.arch)/bin"
	claims node env SBX_CLIENT="$scratch/node/index.mjs" node "$TESTS/helper/clients/claims.mjs" "$ws/node" "$outside/node"
	# Its command passes on what ends it.
	seconds=$((50000 + $$))
	sleeps() { [ "$(pgrep -cfx "sleep $seconds")" = "$1" ]; }
	node "$scratch/node/sbx-run.mjs" --auto -C "$ws/node" -- sleep "$seconds" &
	wrapper=$!
	ok "node: its command runs" eventually 20 sleeps 1
	kill -TERM "$wrapper"
	wait "$wrapper"
	is "node: told to end, it ends as that does" "$? $(sleeps 0 && echo gone)" "143 gone"
	exports=$(node -e 'import(process.argv[1]).then((m) => console.log(Object.keys(m).sort().join(" ")))' "$scratch/node/index.mjs")
	declared=$(sed -nE 's/^export (class|function|const) ([A-Za-z]+).*/\2/p' "$clients/node/index.d.ts" | LC_ALL=C sort | xargs)
	is "node: the types declare what there is" "$declared" "$exports"
else
	skip "the client for Node" "no node of 18 or later"
fi

# The wheel, made twice.
for i in 1 2; do
	mkdir "$scratch/wheel$i"
	SOURCE_DATE_EPOCH=1700000000 "$python" "$clients/make-wheel" "$clients/python/sbx.py" "$version" "$scratch/wheel$i" >/dev/null
done
wheel=sbx_client-$version-py3-none-any.whl
ok "the same module is the same wheel" cmp "$scratch/wheel1/$wheel" "$scratch/wheel2/$wheel"
cat >"$scratch/check.py" <<'END'
import base64, csv, hashlib, io, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
(record,) = [n for n in wheel.namelist() if n.endswith(".dist-info/RECORD")]
rows = {row[0]: row[1] for row in csv.reader(io.StringIO(wheel.read(record).decode()))}
assert set(rows) == set(wheel.namelist()), rows
for name, digest in rows.items():
    if name != record:
        want = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=").decode()
        assert digest == "sha256=" + want, name
sys.path.insert(0, sys.argv[1])
import sbx
print(sbx.__version__)
END
run "$python" "$scratch/check.py" "$scratch/wheel1/$wheel"
is "its record is right, and its version the suite's" "$status $out" "0 $version"
finish
