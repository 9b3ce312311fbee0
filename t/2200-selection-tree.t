#!/bin/bash
# The selection tree, on a machine where everything works.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
need USERNS

# chosen FILTER [OPTION...]: "status type backend lost"
chosen() {
	local filter=$1
	shift
	stage sbx-select "$@" < <(doc "$approved | $filter")
	echo "$status $(field '"\(.sandbox.type) \(.sandbox.backend) \(.sandbox.lost | length)"')"
}
mode() { printf '.policy.sandbox_policy.type = "%s"' "$1"; }
require='.command.preference = "require"'
forbid='.command.preference = "forbid"'
granted='.approval.decision = "approved" | .approval.grant = {sandbox: "none"}'

# shellcheck disable=SC2034 # read through ${!expected}
boxed="0 linux-seccomp bubblewrap 0"
none="0 none null 0"
while IFS='|' read -r what filter expected; do
	filter=${filter/DANGER/$(mode danger-full-access)}
	filter=${filter/EXTERNAL/$(mode external-sandbox)}
	filter=${filter/REQUIRE/$require}
	filter=${filter/FORBID/$forbid}
	filter=${filter/GRANTED/$granted}
	is "$what" "$(chosen "${filter//+/|}")" "${!expected}"
done <<'END'
workspace-write|.|boxed
read-only|.policy.sandbox_policy.type = "read-only"|boxed
danger-full-access|DANGER|none
external-sandbox|EXTERNAL|none
require|REQUIRE|boxed
require under danger-full-access|DANGER + REQUIRE|boxed
require under external-sandbox|EXTERNAL + REQUIRE|boxed
forbid|FORBID|none
forbid under danger-full-access|DANGER + FORBID|none
granted without a sandbox|GRANTED|none
granted without a sandbox, but required|GRANTED + REQUIRE|boxed
granted a directory only|.approval.grant = {write: ["/x"]}|boxed
escalated, and not granted|.command.escalate = true|boxed
END

for filter in . "$(mode danger-full-access)" "$(mode external-sandbox)" "$forbid" "$granted"; do
	chosen "$filter" >/dev/null
	stage sbx-select < <(doc "$approved | $filter")
	isnt "a reason is given: $(field .sandbox.reason)" "$(field .sandbox.reason)" ""
done

stage sbx-select < <(doc "$approved")
is "capabilities are said" \
	"$(field '.sandbox.capabilities | "\(.userns) \(.seccomp) \(.landlock_abi | type) \(.bwrap | type)"')" \
	"true true number string"
is "... and the Landlock ABI is the kernel's" "$(field .sandbox.capabilities.landlock_abi)" \
	"$("$TRY" landlock-abi)"

stage sbx-select < <(doc)
is "sbx-select works before sbx-approve" "$status" 0

refuses() {
	stage sbx-select < <(doc "$approved | $2")
	is "refused: $1" "$status $(field '"\(.error.exit) \(.sandbox)"')" "3 3 null"
	like "... in a clear line" "$err" "^sbx-select: $3"
}
refuses "no policy" 'del(.policy)' 'policy: missing'
refuses "no permissions" 'del(.policy.permissions)' 'permissions'
refuses "relative path" '.policy.permissions.fs[0].path = "x"' 'permissions.fs\[0\].path: "x"'
refuses "unknown access" '.policy.permissions.fs[0].access = "all"' 'permissions.fs\[0\].access'
refuses "unknown network" '.policy.permissions.network = "some"' 'permissions.network'
refuses "no cwd" 'del(.command.cwd)' 'command.cwd'

# Other systems.
is "macOS" "$(chosen . --platform macos)" "0 macos-seatbelt sandbox-exec 0"
is "macOS, danger-full-access" "$(chosen "$(mode danger-full-access)" --platform macos)" "$none"
feature='.policy.features = {enable_experimental_windows_sandbox: true}'
is "Windows with its feature" "$(chosen "$feature" --platform windows)" \
	"0 windows-restricted-token restricted-token 3"
is "Windows without" "$(chosen . --platform windows)" "0 none null 1"
is "Windows, the feature is a string" \
	"$(chosen '.policy.features = {enable_experimental_windows_sandbox: "true"}' --platform windows)" \
	"0 none null 1"
stage sbx-select --platform windows < <(doc "$approved | $require")
is "Windows without, but required" "$status $(field '"\(.error.exit) \(.sandbox)"')" "4 4 null"
run "$SBX/sbx-select" --platform beos
is "an unknown platform is wrong usage" "$status" 2

finish
