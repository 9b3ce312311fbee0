# shellcheck shell=bash disable=SC2154,SC2034,SC2119,SC2120
# What the tests of the configuration share: a home of their own, and files.

export HOME=$scratch/home
mkdir -m 700 "$HOME" "$HOME/.codex"
user=$HOME/.codex/config.toml

# config TEXT...: the user's file, one line each
config() { printf '%s\n' "$@" >"$user"; }

# in_project TEXT...: the project's
in_project() {
	mkdir -p "$ws/.codex"
	printf '%s\n' "$@" >"$ws/.codex/config.toml"
}

# A repository that git would accept.
repository() {
	mkdir -p "$1/.git/objects" "$1/.git/refs"
	echo 'ref: refs/heads/main' >"$1/.git/HEAD"
	printf '[core]\n\tbare = false\n' >"$1/.git/config"
}

# The user looks at the project's file and trusts it as it is now.
look() { "$SBX/sbx-policy" --trust "${1:-$ws}" >/dev/null 2>"$scratch/.look" || cat "$scratch/.look"; }

# As codex writes it: the project is trusted, its file was not looked at.
trusted() { printf '[projects."%s"]\ntrust_level = "trusted"\n' "$1"; }

mode() { ask .policy.sandbox_policy.type; }
level() { ask '.policy.trust | "\(.level) \(.path)"'; }
