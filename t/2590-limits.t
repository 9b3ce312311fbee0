#!/bin/bash
# Which limits a policy has: options, [limits], sets, an administrator, and a project.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"
limits() { ask '.policy.limits // {}'; }

policy
is "none by default" "$(limits)" '{}'
policy --limit processes=32,memory=1.5G --limit cpu=0.5,tmp=64K,files=1GiB
is "options" "$(limits)" '{"processes":32,"memory":1610612736,"cpu":0.5,"tmp":65536,"files":1073741824}'
for wrong in memory processes=1.5 memory=1 memory=1X cpu=0 cpu=two tmp=1K files= =1 nosuch=1 processes=0 memory=-1G 'memory=1G,,'; do
	run "$SBX/sbx-policy" -s workspace-write -C "$ws" --limit "$wrong" -- true
	is "refused: $wrong" "$status" 2
done
config '[limits]' 'memory = "512M"' 'processes = 100' 'cpu = 1.5' \
	'[permissions.mine]' 'extends = ":workspace"' '[permissions.mine.limits]' 'memory = "256M"'
policy
is "the user's" "$(limits)" '{"processes":100,"memory":536870912,"cpu":1.5}'
is "... with its place" "$(ask '.policy.sources["limits.memory"]')" "$user:2"
policy -P mine
is "a set counts over it" "$(limits)" '{"processes":100,"memory":268435456,"cpu":1.5}'
policy -P mine --limit memory=1G
is "an option over that" "$(limits)" '{"processes":100,"memory":1073741824,"cpu":1.5}'
run "$SBX/sbx-policy" -C "$ws" -P mine --explain
like "--explain" "$out" "^limit memory  +256M  +$user:8"
printf 'deny use memory=513M\nallow use memory=512M\nallow use files=1T\n' >"$scratch/assertions"
run "$SBX/sbx-policy" -C "$ws" --test "$scratch/assertions"
is "--test" "$status $out" "0 "
echo 'deny use processes=100' >"$scratch/assertions"
run "$SBX/sbx-policy" -C "$ws" --test "$scratch/assertions"
like "... that fails" "$status $out" "^1 .*processes is 100"
run "$SBX/sbx-policy" -C "$ws" --diff :workspace mine
like "--diff" "$status $out" "^1 .*limit memory +512M -> 256M"
config '[limits]' 'memory = "much"'
policy
like "a wrong one is an error" "$status $err" "^3 .*$user:2: limits.memory: memory \"much\": expected a size"
config '[limits]' 'memry = "1G"'
policy
like "an unknown one warns" "$status $err" '^0 .*memry.*did you mean "memory"'

# A project says less, and no more before somebody looked.
project() { mkdir -p "$ws/.codex" && printf '%s\n' "$@" >"$ws/.codex/config.toml"; }
config "$(trusted "$ws")" '[limits]' 'memory = "512M"'
project '[limits]' 'memory = "256M"' 'processes = 50'
policy
is "a project narrows" "$(limits) $err" '{"processes":50,"memory":268435456} '
project '[limits]' 'memory = "1G"'
policy
is "and does not widen" "$(limits)" '{"memory":536870912}'
like "... which is said" "$err" "what it widens is ignored \(limits.memory\)"
project '[limits]' 'memory = "512MB"'
policy
is "the same is not more" "$(limits) $err" '{"memory":536870912} '

if have MOUNTS; then
	etc=$scratch/etc
	mkdir -p "$etc/codex"
	cp -a /etc/passwd /etc/group "$etc/" 2>/dev/null
	# shellcheck disable=SC2016 # for that shell
	with() { run unshare -m --propagation private sh -c 'mount --bind "$1" /etc && shift && exec "$@"' sh "$etc" "$SBX/sbx-policy" -C "$ws" "$@" -- true; }
	rm -r "$ws/.codex"
	config '[limits]' 'processes = 50' '[permissions.mine]' 'extends = ":workspace"'
	printf '%s\n' '[limits]' 'memory = "1G"' 'processes = 200' >"$etc/codex/requirements.toml"
	with
	is "an administrator's is everybody's" "$(limits)" '{"processes":50,"memory":1073741824}'
	with --limit memory=2G,processes=300
	is "nobody exceeds it" "$(limits)" '{"processes":200,"memory":1073741824}'
	like "... which is said" "$err" "limit memory=2G \(flag --limit\): /etc/codex/requirements.toml allows 1G, which holds"
	with --limit memory=512M
	is "less is less" "$(limits) $err" '{"processes":50,"memory":536870912} '
	printf '%s\n' '[limits]' 'memroy = "1G"' >"$etc/codex/requirements.toml"
	with
	is "an unknown one is an error" "$status" 3
	rm "$etc/codex/requirements.toml"
	printf '%s\n' '[limits]' 'memory = "1G"' '[permissions.strict]' 'extends = ":workspace"' '[permissions.strict.limits]' 'processes = 10' >"$etc/codex/managed_config.toml"
	with --limit memory=2G
	is "nor what the managed file says" "$(limits)" '{"processes":50,"memory":1073741824}'
	with -P strict --limit processes=20
	is "nor a set of the administrator's" "$(limits)" '{"processes":10,"memory":1073741824}'
fi
finish
