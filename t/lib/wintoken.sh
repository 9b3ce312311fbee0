# shellcheck shell=bash disable=SC2154,SC2034
# What the tests of sbx-wintoken share: documents of Windows, plans, refusals.
# shellcheck source=t/lib/documents.sh
. "$TESTS/lib/documents.sh"
shopt -s lastpipe

# SIDs are random; where a plan is compared they come from here.
export CODEX_HOME=$scratch/home
known_sids() {
	(umask 077 && mkdir -p "$CODEX_HOME")
	(umask 077 && cp "$TESTS/windows/cap_sid" "$CODEX_HOME/cap_sid")
}

# windows [FILTER]: a document of Windows, with the feature switched on
windows() {
	doc '.command.cwd = "C:\\ws"
		| .policy.features = {enable_experimental_windows_sandbox: true}
		| .policy.permissions.fs = [{path: "/", access: "read"}, {path: "C:\\ws", access: "write"}]
		| '"${1:-.}"
}

# entries PATH ACCESS...: a filter that sets them, beside reading everything
entries() {
	local list='{path: "/", access: "read"}'
	while [ $# -gt 1 ]; do
		list+=", {path: $(jq -n --arg p "$1" '$p'), access: \"$2\"}"
		shift 2
	done
	echo ".policy.permissions.fs = [$list]"
}

# plan <document: its plan in $out
plan() { stage sbx-wintoken --plan; }

# refused_plan TITLE STATUS PATTERN <document: one line, no plan, nothing to execute
refused_plan() {
	cat >"$scratch/.doc"
	plan <"$scratch/.doc"
	is "$1: exit $2" "$status $out" "$2 "
	is "... one line" "$(error_lines)" 1
	like "... that says it" "$err" "^sbx-wintoken: $3"
	stage sbx-wintoken <"$scratch/.doc"
	is "... nothing to execute" "$status $(field '"\(.error.exit) \(.exec)"')" "$2 $2 null"
}
