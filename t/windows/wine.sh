# shellcheck shell=bash disable=SC2034,SC2154
# What the tests under wine share: a plan, the launcher, a child.
export CODEX_HOME=$scratch/home
have PROGRAM wine || skip_all "wine is not installed"
[ -n "${WINEPREFIX:-}" ] || skip_all "run by make test-windows"
bin=$BUILD/windows/bin/sbx-wintoken.exe
child=$BUILD/windows/t/child.exe
driver=$BUILD/windows/t/driver.exe

# drive PATH: as Windows calls it
drive() { printf 'Z:%s' "${1//\//\\}"; }

# make_plan FILE [FILTER]: the plan of a document for the workspace
make_plan() {
	jq -cn --arg ws "$(drive "$ws")" '
		{sbx: 1,
		 command: {argv: ["x"], cwd: $ws},
		 policy: {approval_policy: "never", sandbox_policy: {type: "workspace-write"},
			  features: {enable_experimental_windows_sandbox: true},
			  permissions: {fs: [{path: "/", access: "read"},
					     {path: $ws, access: "write"},
					     {path: ($ws + "\\.git"), access: "read"}],
					network: "off"}}}
		| '"${2:-.}" | "$SBX/sbx-wintoken" --plan >"$1"
}
make_plan "$scratch/plan"

# launch COMMAND...: by the launcher; its own warning is taken off $err
launch() {
	run wine "$bin" --unenforced --plan-file "$(drive "$scratch/plan")" -- "$@"
	warned=$(grep -c 'nothing holds this command' <<<"$err")
	err=$(grep -v 'nothing holds this command' <<<"$err")
}
