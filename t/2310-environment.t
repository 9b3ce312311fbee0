#!/bin/bash
# Which variables the command gets: shell_environment_policy in its order, then
# the markers.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"

base='.command.env = {PATH: "/bin", HOME: "/h", USER: "u", EDITOR: "vi", MY_KEY: "1",
	AWS_SECRET_ID: "2", gh_token: "3", MONKEY: "4", TOKE: "5"}'

# names POLICY-JSON [FILTER]: the variables that are left, without markers
names() {
	stage sbx-wrap < <(doc "$selected | $base | .policy.shell_environment_policy = $1 | ${2:-.}")
	field '.exec.env // {} | keys - ["SBX_SANDBOX", "PWD", "CODEX_SANDBOX_NETWORK_DISABLED"] | join(" ")'
}

all="AWS_SECRET_ID EDITOR HOME MONKEY MY_KEY PATH TOKE USER gh_token"
plain="EDITOR HOME PATH TOKE USER"
is "no policy: secrets are dropped, in any case" "$(names null)" "$plain"
is "an empty policy too" "$(names '{}')" "$plain"
is "ignore_default_excludes keeps them" "$(names '{ignore_default_excludes: true}')" "$all"
is "... only when it is true" "$(names '{ignore_default_excludes: "true"}')" "$plain"
is "... and false drops them" "$(names '{ignore_default_excludes: false}')" "$plain"
is "inherit all" "$(names '{inherit: "all"}')" "$plain"
is "inherit core" "$(names '{inherit: "core"}')" "HOME PATH USER"
is "inherit none" "$(names '{inherit: "none"}')" ""
is "exclude: whole names, ignoring case" "$(names '{exclude: ["edit", "home"]}')" "EDITOR PATH TOKE USER"
is "exclude: * and ?" "$(names '{exclude: ["E*R", "?OK?", "*S*"]}')" "HOME PATH"
is "exclude: a star matches nothing too" "$(names '{exclude: ["*PATH*"]}')" "EDITOR HOME TOKE USER"
is "set comes after exclude" "$(names '{exclude: ["EDITOR"], set: {EDITOR: "ed"}}')" "$plain"
names '{exclude: ["EDITOR"], set: {EDITOR: "ed"}}' >/dev/null
is "... with its value" "$(field .exec.env.EDITOR)" ed
is "set is not dropped for its name" "$(names '{inherit: "none", set: {A_KEY: "x"}}')" A_KEY
is "include_only comes last" "$(names '{set: {NEW: "1"}, include_only: ["path", "H*"]}')" "HOME PATH"
is "an empty include_only is none" "$(names '{include_only: []}')" "$plain"
is "all steps" "$(names '{inherit: "core", exclude: ["HOME"], set: {X: "1", Y: "2"}, include_only: ["X", "PATH"]}')" \
	"PATH X"

bad() {
	names "$2" >/dev/null
	is "refused: $1" "$status $(field .exec)" "3 null"
	like "... in a clear line" "$err" '^sbx-wrap: shell_environment_policy'
}
bad "unknown inherit" '{inherit: "some"}'
bad "inherit that is no word" '{inherit: true}'
bad "exclude that is no list" '{exclude: "A"}'
bad "exclude of something else" '{exclude: [1]}'
bad "set that is no object" '{set: ["A=1"]}'
bad "set of no name" '{set: {"": "1"}}'
bad "set of a name with =" '{set: {"A=B": "1"}}'
bad "a policy that is no object" '[]'

# Without command.env it is the stage's own.
own() {
	(export SEEN=yes UNSEEN_TOKEN=no BYTES=$'\xff' SBX_SESSION=/run/x; "$@" < <(doc "$selected")) >"$scratch/.out"
	out=$(cat "$scratch/.out")
}
own "$SBX/sbx-wrap"
is "the stage's own environment when the command has none" "$(field '.exec.env |
	"\(.SEEN) \(.UNSEEN_TOKEN) \(.BYTES.base64) \(.SBX_SESSION)"')" "yes null /w== null"
own env $'N\xffN=value' "$SBX/sbx-wrap"
is "a name that is not UTF-8 travels" "$(field '.exec.env["=Tv9O"]')" value

# Markers.
network() { printf '%s | %s | .policy.permissions.network = "%s"' "$selected" "$base" "$1"; }
marks() { field '.exec.env | "\(.CODEX_SANDBOX_NETWORK_DISABLED) \(.CODEX_SANDBOX) \(.SBX_SANDBOX)"'; }
stage sbx-wrap < <(doc "$(network off)")
is "network off" "$(marks)" "1 null none"
stage sbx-wrap < <(doc "$(network loopback)")
is "network loopback" "$(marks)" "1 null none"
stage sbx-wrap < <(doc "$(network on)")
is "network on" "$(marks)" "null null none"
stage sbx-wrap < <(doc "$(network on) | del(.policy.permissions.network)")
is "network not said is off" "$(marks)" "1 null none"
stage sbx-wrap < <(doc "$(network on) | .sandbox.type = \"linux-seccomp\" | .sandbox.backend = \"bubblewrap\"")
is "the type of the sandbox" "$(marks)" "null null linux-seccomp"
stale='.command.env += {CODEX_SANDBOX_NETWORK_DISABLED: "1", CODEX_SANDBOX: "seatbelt",
	SBX_SANDBOX: "linux-seccomp", SBX_SESSION: "/run/s", PWD: "/old"}'
stage sbx-wrap < <(doc "$(network on) | $stale")
is "markers of an outer run that are not true here are gone" "$(marks)" "null null none"
is "the session is never passed on" "$(field '.exec.env | has("SBX_SESSION")')" false
is "PWD is the directory" "$(field .exec.env.PWD)" "$ws"
stage sbx-wrap < <(doc "$(network off) | .policy.shell_environment_policy =
	{inherit: \"none\", include_only: [\"X\"], set: {SBX_SESSION: \"/s\", SBX_SANDBOX: \"y\", CODEX_SANDBOX: \"z\"}}")
is "no policy can set or drop a marker" "$(marks) $(field .exec.env.SBX_SESSION)" "1 null none null"

stage sbx-wrap --captured < <(doc "$(network on) | .command.env.TERM = \"xterm\"")
is "captured: no colours, no pagers, one encoding" \
	"$(field '.exec.env | "\(.NO_COLOR) \(.TERM) \(.COLORTERM) \(.LANG) \(.LC_ALL) \(.LC_CTYPE) \(.PAGER) \(.GIT_PAGER) \(.GH_PAGER) \(.CODEX_CI)"')" \
	"1 dumb  C.UTF-8 C.UTF-8 C.UTF-8 cat cat cat 1"
stage sbx-wrap < <(doc "$(network on) | .command.env.TERM = \"xterm\" | .command.env.CODEX_CI = \"1\"")
is "control: not captured" "$(field '.exec.env | "\(.NO_COLOR) \(.TERM) \(.CODEX_CI)"')" "null xterm null"


# A module of Go that is in no repository: what stands for .git is not one.
mkdir -p "$scratch/go/bin" "$scratch/module/sub"
echo go1.19.8 >"$scratch/go/VERSION"
printf '#!/bin/sh\n' >"$scratch/go/bin/go" && chmod +x "$scratch/go/bin/go"
: >"$scratch/module/go.mod"
flags() { (cd "$scratch/module/sub" && env PATH="$scratch/go/bin:$PATH" "$SBX/sbx-run" -s workspace-write -a never "$@" -- sh -c 'echo "${GOFLAGS-unset}"'); }
if have USERNS; then
	is "go does not ask git about it" "$(flags)" "-buildvcs=false"
	is "... beside its other flags" "$(flags -c 'shell_environment_policy.set.GOFLAGS="-v"')" "-v -buildvcs=false"
	is "... unless something is said about that" "$(flags -c 'shell_environment_policy.set.GOFLAGS="-buildvcs=auto"')" "-buildvcs=auto"
	echo go1.17 >"$scratch/go/VERSION"
	is "one that does not know it is not told" "$(flags)" unset
	echo go1.20 >"$scratch/go/VERSION"
	mkdir -p "$scratch/module/.git" && echo 'ref: refs/heads/main' >"$scratch/module/.git/HEAD"
	is "in a repository it may ask" "$(flags)" unset
fi
finish
