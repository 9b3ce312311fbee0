# shellcheck shell=bash disable=SC2034,SC2154
# Documents for the tests of single stages, made without the stages before.

# doc [JQ-FILTER]: a document with policy, changed by the filter
document='{sbx: 1,
	command: {argv: ["make", "test"], cwd: $ws},
	policy: {approval_policy: "on-request",
		 sandbox_policy: {type: "workspace-write"},
		 permissions: {fs: [{path: "/", access: "read"},
				    {path: $ws, access: "write"}],
			       network: "off"}}}'
doc() { jq -cn --arg ws "$ws" "$document | ${1:-.}"; }

# Many documents, one process:
#	claim DESCRIPTION EXPECTED JQ-FILTER    a document, changed by the filter
#	judge JQ-FILTER STAGE [OPTION...]       all of them: what the filter says of
#	                                        each that comes out is what was expected
claims=() expected=()
claim() {
	claims+=("$1")
	expected+=("$2")
	printf '%s\n' "$3" >>"$scratch/.filters"
}
judge() {
	local filter=$1 got i
	shift
	{
		echo "$document as \$doc |"
		sed 's/.*/($doc | &),/; $s/,$//' "$scratch/.filters"
	} >"$scratch/.program"
	stage "$@" < <(jq -cn --arg ws "$ws" -f "$scratch/.program")
	mapfile -t got < <(jq -r "$filter" "$scratch/.out")
	is "a document comes out for each" "${#got[@]}" "${#claims[@]}"
	ran=
	for i in "${!claims[@]}"; do is "${claims[i]}" "${got[i]-}" "${expected[i]}"; done
	claims=() expected=()
	rm "$scratch/.filters"
}

# A filter: the document as sbx-approve leaves it.
approved='.approval = {decision: "skip", required: false, by: "policy", reason: "r",
	key: "exec:make test", command_class: "unknown",
	risk: {level: "low", description: "r"}}'

# A filter: the document as sbx-select leaves it, without a sandbox.
selected=$approved' | .sandbox = {type: "none", backend: null, reason: "r",
	capabilities: {}, lost: []}'

# stage NAME [OPTION...] <documents: sets $status, $out, $err
stage() {
	local name=$1
	shift
	cat >"$scratch/.in"
	IFS= read -r -N 1000 ran <"$scratch/.in"
	ran="$name $* <$ran"
	"$SBX/$name" "$@" <"$scratch/.in" >"$scratch/.out" 2>"$scratch/.err"
	status=$?
	heed
}

# field JQ-FILTER: of the document that came out
field() { jq -r "$1" "$scratch/.out"; }

# error_lines: how many lines went to stderr
error_lines() { wc -l <"$scratch/.err"; }
