#!/bin/bash
# --report sarif and junit are well-formed whatever the command does, and say what was denied.
. "${0%/*}/lib/lib.sh"
need SANDBOX
need PROGRAM python3
export HOME=$scratch/home
mkdir -m 700 "$HOME"
[ -x /usr/bin/python3 ] && python=/usr/bin/python3 || python=$(command -v python3)
report() { # FORM OPTION...
	run "$SBX/sbx-run" -s workspace-write -C "$ws" --report "$1" --report-fd 9 "${@:2}" 9>"$scratch/report"
}
# What SARIF 2.1.0 demands of the members that are used, by its own names; JUnit as its readers take it.
cat >"$scratch/check.py" <<'END'
import json, sys, urllib.parse, xml.etree.ElementTree as tree
form, path = sys.argv[1:]
if form == "junit":
    root = tree.parse(path).getroot()
    assert root.tag == "testsuites"
    (suite,) = root
    cases = list(suite)
    assert suite.tag == "testsuite" and int(suite.get("tests")) == len(cases)
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert float(suite.get("time")) >= 0
    assert all(c.tag == "testcase" and c.get("name") and c.get("classname") for c in cases)
    for c in cases:
        print(c.get("classname"), c.get("name"), "failed" if len(c) else "passed")
    sys.exit()
log = json.load(open(path, encoding="utf-8"))
assert set(log) == {"$schema", "version", "runs"} and log["version"] == "2.1.0"
(run,) = log["runs"]
assert set(run) <= {"tool", "invocations", "results", "originalUriBaseIds"}
driver = run["tool"]["driver"]
assert driver["name"] == "sbx-run" and driver["version"]
rules = driver["rules"]
assert len({r["id"] for r in rules}) == len(rules)
assert all(set(r) == {"id", "shortDescription"} and r["shortDescription"]["text"] for r in rules)
(call,) = run["invocations"]
assert isinstance(call["executionSuccessful"], bool) and isinstance(call["exitCode"], int)
for base in run.get("originalUriBaseIds", {}).values():
    assert base["uri"].startswith("file:///") and base["uri"].endswith("/")
for r in run["results"]:
    assert rules[r["ruleIndex"]]["id"] == r["ruleId"] and r["level"] in ("error", "warning")
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2028" for c in r["message"]["text"])
    for place in r.get("locations", []):
        where = place["physicalLocation"]["artifactLocation"]
        assert where["uri"].isascii() and urllib.parse.urlparse(where["uri"]).scheme in ("", "file")
        assert ("uriBaseId" in where) == (not where["uri"].startswith("file:"))
        print(r["level"], r["ruleId"], where.get("uriBaseId", "-"), where["uri"])
END
checked() { "$python" "$scratch/check.py" "$1" "$scratch/report" 2>&1; }
mkdir "$ws/.git"
report sarif -a never -- true
is "sarif: nothing was denied" "$status $(checked sarif)" "0 "
report junit -a never -- true
is "junit: nothing was denied" "$status $(checked junit)" "0 sbx.command true passed"
report junit -a never -- nosuchprogram
is "junit: what did not run has failed" "$status $(checked junit)" "127 sbx.command nosuchprogram failed"
report sarif -s nonsense -- true
is "sarif: nothing came of it" "$status $(checked sarif)" "125 "
if have OBSERVER && [ -z "${T_DOCKER-}" ]; then
	report sarif -a never -- sh -c "touch .git/config; touch $outside/x"
	is "sarif: below the workspace by its name there, others by their own" "$status $(checked sarif)" \
		"1 error sbx/create SRCROOT .git/config
error sbx/create - file://$outside/x"
	report junit -a never -- sh -c "touch $outside/x; true"
	is "junit: a case each" "$(checked junit | tail -n 1)" "sbx.denial create $outside/x failed"
	# Every byte but NUL and the slash, as a name and as a word.
	"$python" - "$scratch/name" <<'END'
import sys
open(sys.argv[1], "wb").write(bytes(b for b in range(1, 256) if b != 10 and not 46 < b < 58 and not 65 <= b < 123) +
                             "\ufffe\uffff\u202e\u2028]]>&#0;<!--".encode())
END
	for form in sarif junit; do
		report $form -a never -- sh -c 'for part in "$1" "]]>" "<!--"; do touch "$0/$part"; done' "$outside" "$(cat "$scratch/name")"
		like "$form: hostile bytes are well-formed" "$(checked $form)" 'create'
		unlike "... so that no part of it is a failure" "$(checked $form)" 'Error'
	done
	if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null && [ -n "${SARIF_SCHEMA-}" ]; then
		report sarif -a never -- touch "$outside/x"
		ok "sarif: as the standard's schema says" /usr/bin/python3 -m jsonschema -i "$scratch/report" "$SARIF_SCHEMA"
	fi
fi
for form in sarif junit; do
	run "$SBX/sbx-run" -s danger-full-access -a never --report $form -- touch "$ws/ran"
	like "$form needs a place of its own" "$status $err" '^125 .*--report-fd 3'
done
ok "... and nothing ran" absent "$ws/ran"
finish
