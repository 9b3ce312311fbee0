#!/bin/bash
# --allow net:NAME: the hosts that a tool's own settings name, or a list of the user's.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"
unset NPM_CONFIG_REGISTRY npm_config_registry PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL UV_DEFAULT_INDEX GOPROXY

# hosts_of TOOL [VARIABLE=VALUE]: what --allow net:TOOL lists, of those that are this test's
hosts_of() {
	run env "${2:-X=}" "$SBX/sbx-policy" -C "$ws" -s workspace-write --allow "net:$1" -- true
	hosts=$(ask '.policy.permissions | [.network] + ((.hosts // []) | map(select(contains("test")))) | join(" ")')
}
# names TOOL FILE TEXT WANTED: what a file in the home directory names
names() {
	mkdir -p "$(dirname "$HOME/$2")"
	printf '%b\n' "$3" >"$HOME/$2"
	hosts_of "$1"
	is "$1: ~/$2" "$status $hosts" "0 hosts $4"
	rm "$HOME/$2"
}
names npm .npmrc '# http://comment.test/\nregistry=https://npm.test/a\n@x:registry=http://u:p@scope.test:8080/b\n//npm.test/:_authToken=x' "npm.test:443 scope.test:8080"
names pip .config/pip/pip.conf '[global]\nindex-url = https://pip.test/simple\nextra-index-url =\n  https://more.test/simple\n  http://[2001:db8::1]:81/test' "pip.test:443 more.test:443"
names cargo .cargo/config.toml '[source.mirror]\nregistry = "sparse+https://cargo.test/index/"\n[registries.own]\nindex = "ssh://git@own.test/index"' "cargo.test:443 own.test:22"
names go .config/go/env 'GOPROXY=https://go.test,https://second.test|direct' "go.test:443 second.test:443"
names maven .m2/settings.xml '<mirror><url>https://maven.test/m2</url></mirror>' "maven.test:443"
names gem .gemrc ':sources:\n- https://gem.test/' "gem.test:443"
hosts_of go GOPROXY=https://variable.test:8443/x
is "a variable" "$hosts" "hosts variable.test:8443"
is "its source" "$(ask '.policy.sources.hosts[0].source')" "net:go: \$GOPROXY"

repository "$ws"
printf '[remote "a"]\n\turl = git@scp.test:x/y.git\n[remote "b"]\n\turl = https://u@web.test:444/x\n\tpushurl = ssh://push.test/x\n[remote "c"]\n\turl = /srv/x:y\n\turl = ../up.test:x\n' >>"$ws/.git/config"
hosts_of git
is "git: its remotes" "$hosts" "hosts scp.test:22 web.test:444 push.test:22"

printf 'registry=https://evil.test/\n' >"$ws/.npmrc"
names npm .npmrc 'registry=https://npm.test/' "npm.test:443"
for bad in 'https://0x7f.1/test' 'https://*.test/' 'https://!x.test/' 'gopher://x.test/' 'https:///test' 'https://a b.test'; do
	hosts_of go "GOPROXY=$bad"
	unlike "what is no host names none: $bad" "$hosts" 'test:|x.test'
done
hosts_of go
is "a tool without settings" "$status" 3
like "... and whom to ask" "$err" 'net:go.*go env GOPROXY'
hosts_of none
like "no such tool" "$status $err" '^3 .*no such tool'

config '[hosts.work]' 'allow = ["a.test", "*.b.test:443"]' '[hosts.npm]' 'allow = ["own.test"]'
hosts_of work
is "a list of one's own" "$hosts" "hosts a.test *.b.test:443"
hosts_of npm
is "... in place of a tool's" "$hosts" "hosts own.test"
policy --allow net:work
is "under read-only as well" "$status $(ask .policy.permissions.network)" "0 hosts"
config '[hosts.work]' 'allow = ["a.test"]' '[permissions.x]' 'extends = ":workspace"' 'allow = ["net:work"]'
policy -P x
is "in a set" "$(ask '.policy.permissions | [.network] + .hosts | join(" ")')" "hosts a.test"
config ''
in_project '[hosts.work]' 'allow = ["evil.test"]'
config "$(trusted "$ws")"
look
hosts_of work
is "a project has no lists" "$status" 3
finish
