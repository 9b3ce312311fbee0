# shellcheck shell=bash disable=SC2034,SC2154
# Documents for the tests of single stages, made without the stages before.

# doc [JQ-FILTER]: a document with policy, changed by the filter
doc() {
	jq -cn --arg ws "$ws" '
		{sbx: 1,
		 command: {argv: ["make", "test"], cwd: $ws},
		 policy: {approval_policy: "on-request",
			  sandbox_policy: {type: "workspace-write"},
			  permissions: {fs: [{path: "/", access: "read"},
					     {path: $ws, access: "write"}],
					network: "off"}}}
		| '"${1:-.}"
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
	ran="$name $* <$(head -c 1000 "$scratch/.in" | tr -d '\000')"
	"$SBX/$name" "$@" <"$scratch/.in" >"$scratch/.out" 2>"$scratch/.err"
	status=$?
	out=$(tr -d '\000' <"$scratch/.out")
	err=$(tr -d '\000' <"$scratch/.err")
}

# field JQ-FILTER: of the document that came out
field() { jq -r "$1" <<<"$out"; }

# error_lines: how many lines went to stderr
error_lines() { wc -l <"$scratch/.err"; }
