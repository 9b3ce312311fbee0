# shellcheck shell=bash disable=SC2154,SC2034
# What the tests of denials share: a helper that reports what it is told to,
# and the question whether the real one can see anything here.

export HOME=$scratch/home
mkdir -m 700 "$HOME" "$HOME/.codex"

# Why denials are not observed here; nothing when they are.
unobserved() {
	"$SBX/sbx-run" --json -s workspace-write -a never -C "$ws" -- touch "$outside/probe" 2>/dev/null |
		jq -r 'if .result.denials == [] then .result.unobserved // "no denial was reported" else "" end'
}

# need_observer: the whole test is skipped where they are not
need_observer() {
	need USERNS
	local why
	why=$(unobserved)
	[ -z "$why" ] || skip_all "denials are not observed here: $why"
}

# stand_in EVENT...: a document in $scratch/in whose helper reports the events
# and ends with $code (1 unless it is set); ${policy-.} changes the document.
stand_in() {
	{
		echo '#!/bin/bash'
		echo '[ "$1" = --report-fd ] || exit 99'
		echo 'exec 3>&"$2"'
		echo "echo '{\"event\":\"started\"}' >&3"
		local event
		for event; do printf '%s\n' "echo ${event@Q} >&3"; done
		echo "${also-:}"
		echo "echo '{\"event\":\"exit\",\"code\":${code-1}}' >&3; exit ${code-1}"
	} >"$scratch/helper"
	chmod 755 "$scratch/helper"
	jq -cn --arg helper "$scratch/helper" --arg ws "$ws" '
		{sbx: 1, command: {argv: ["some/prog ram", "x"], cwd: $ws, timeout_ms: 0},
		 policy: {approval_policy: "never", sandbox_policy: {type: "workspace-write"},
			permissions: {fs: [{path: "/", access: "read"}, {path: $ws, access: "write"}], network: "off"}},
		 approval: {decision: "skip"}, sandbox: {type: "linux-seccomp", lost: []},
		 exec: {argv: [$helper, "--policy", "{}"], cwd: $ws, env: {PATH: "/usr/bin:/bin"},
			arg0: null, sandbox: "linux-seccomp"}} | '"${policy-.}" >"$scratch/in"
}

# told [OPTION...]: runs it
told() { run "$SBX/sbx-run" --exec "$@" <"$scratch/in"; }

# denial OP PATH GRANT [MORE]: an event
denial() { jq -cn --arg op "$1" --arg path "$2" --argjson grant "$3" '
	{event: "denial", op: $op, path: $path, syscall: "openat", program: "/usr/bin/touch",
	 rule: {path: "/", access: "read"}, grant: $grant, count: 1} | '"${4-.}"; }
