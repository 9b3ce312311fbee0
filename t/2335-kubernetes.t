#!/bin/bash
# sbx-wrap --platform kubernetes: a Pod and a NetworkPolicy in which nothing that
# the command, its variables or a path say becomes something else.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
anyone

mkdir "$ws/.git" "$ws/.agents" "$ws/.codex"
prepare() { # [OPTION...] -- COMMAND...
	(cd "$ws" && "$SBX/sbx-policy" -s workspace-write -a never -c sandbox_workspace_write.exclude_slash_tmp=true "$@") |
		"$SBX/sbx-approve" 2>/dev/null | "$SBX/sbx-select" --platform kubernetes 2>/dev/null >"$scratch/selected"
}
wrap() { # [FILTER]
	jq -c "${1:-.}" "$scratch/selected" >"$scratch/.filtered"
	run "$SBX/sbx-wrap" --platform kubernetes --image example.org/image:1 <"$scratch/.filtered"
}
pod() { field ".exec.manifests[-1] | $1"; }
network() { field ".exec.manifests[0].spec | $1"; }

prepare -- make test
run "$SBX/sbx-wrap" --platform kubernetes <"$scratch/selected"
is "an image is needed" "$status" 2
wrap
is "wrapped" "$status $err" "0 "
is "the pod comes after what closes its network" "$(field '[.exec.manifests[].kind] | join(" ")')" "NetworkPolicy Pod"
is "... which means this pod, by its label" "$(network .podSelector.matchLabels.\"sbx-run\")" "$(pod .metadata.labels.\"sbx-run\")"
is "... and allows nothing" "$(network '"\(.policyTypes | tojson) \(.ingress | tojson) \(.egress | tojson)"')" '["Ingress","Egress"] [] []'
prepare --limit memory=1G,cpu=1.5 -- make test
wrap
is "limits of memory and cpu" "$status $(pod '.spec.containers[0].resources.limits | "\(.memory) \(.cpu)"')" "0 1073741824 1500m"
prepare --limit processes=50 -- make test
wrap
like "... and of nothing else" "$status $err" "^4 .*limits"
prepare -- make test
wrap
is "no privilege" "$(pod '.spec.containers[0].securityContext | "\(.allowPrivilegeEscalation) \(.privileged) \(.readOnlyRootFilesystem) \(.capabilities.drop[0])"')" \
	"false false true ALL"
is "nothing of the node or the cluster" "$(pod '.spec | "\(.hostNetwork) \(.hostPID) \(.hostIPC) \(.automountServiceAccountToken)"')" \
	"false false false false"
is "the user of this machine" "$(pod '.spec.securityContext | "\(.runAsUser) \(.runAsNonRoot)"')" \
	"$(id -u) $([ "$(id -u)" = 0 ] && echo false || echo true)"
is "the filter is one of the node, by its content" "$(pod .spec.securityContext.seccompProfile.localhostProfile)" \
	"$(field .exec.seccomp.name).json"
is "the workspace is written" "$(pod ".spec.containers[0].volumeMounts[] | select(.mountPath == \"$ws\") | .readOnly")" false
is "... its .git is read, below the same volume" \
	"$(pod ".spec.containers[0].volumeMounts[] | select(.mountPath == \"$ws/.git\") | \"\\(.readOnly) \\(.subPath) \\(.name)\"")" \
	"true .git $(pod ".spec.containers[0].volumeMounts[] | select(.mountPath == \"$ws\").name")"
is "the loopback that nobody asked for is off" "$(field '[.exec.seccomp.profile.syscalls[].names[0]] | index("connect") != null')" true

# $(NAME) is Kubernetes' own, and $$ a dollar.
prepare -- sh -c 'echo $(HOME) $$ ${HOME} $' -- '-x' $'{{"a":1}}\n---\nkind: Pod'
wrap '.command.env = {A: "$(B)", PATH: "$$x", C: "a\nb: c\""}'
is "dollars stay what they are" "$(pod '.spec.containers[0].command[2]')" 'echo $$(HOME) $$$$ $${HOME} $$'
is "... in variables" "$(pod '[.spec.containers[0].env[] | select(.name == "A" or .name == "PATH").value] | join(" ")')" '$$(B) $$$$x'
is "lines and quotes too" "$(pod '.spec.containers[0].env[] | select(.name == "C").value')" $'a\nb: c"'
is "words that look like a document are words" "$(pod '.spec.containers[0].command[5]')" $'{{"a":1}}\n---\nkind: Pod'
for name in 'A B' '1A' 'A$(B)' 'Ä'; do
	wrap ".command.env = {\"$name\": \"x\", PATH: \"/bin\"}"
	is "a variable that Kubernetes does not take: $name" "$status $(field '.error.code, .exec' | xargs)" "4 engine null"
done
wrap '.command.timeout_ms = 1500'
is "a time limit is the pod's" "$(pod .spec.activeDeadlineSeconds)" 2

# Hosts: addresses are held; names are not, and what is denied must not slip in with a block.
prepare --allow-host 192.0.2.0/24:443 --allow-host '[2001:db8::1]' --accept-lost network -- true
wrap
is "addresses" "$status $(network '[.egress[] | .to[0].ipBlock.cidr] | sort | join(" ")')" "0 192.0.2.0/24 2001:db8::1/128"
is "... and their ports" "$(network '[.egress[] | select(.to[0].ipBlock.cidr == "192.0.2.0/24").ports[] | "\(.protocol) \(.port)"] | join(",")')" "TCP 443"
wrap '.policy.permissions.hosts += ["example.org"]'
is "a name needs consent" "$status $(field .error.code)" "4 lost"
wrap '.policy.permissions.hosts += ["!192.0.2.7"] | .policy.sbx.accept_lost += ["hosts"]'
is "a list that denies: nothing" "$status $(network '.egress | length')" "0 0"
prepare --allow-host 192.0.2.1 -- true
wrap
is "a network that only a plugin holds needs consent" "$status $(field .error.code)" "4 lost"

# Hidden files of a root; what is in none is not there at all.
echo s >"$ws/key" && mkdir -p "$ws/vault/open"
prepare --hide "$ws/key" --hide "$ws/vault" -- true
wrap
is "a hidden file" "$(pod ". as \$p | .spec.containers[0].volumeMounts[] | select(.mountPath == \"$ws/key\").name as \$n | \$p.spec.volumes[] | select(.name == \$n).hostPath.path")" /dev/null
is "a hidden directory" "$(pod ". as \$p | .spec.containers[0].volumeMounts[] | select(.mountPath == \"$ws/vault\").name as \$n | \$p.spec.volumes[] | select(.name == \$n) | has(\"emptyDir\")")" true
wrap ".policy.permissions.fs += [{path: \"$ws/vault/open\", access: \"read\"}]"
is "what is reopened in it cannot be shown" "$status $(field .exec)" "4 null"
mkdir "$ws/a:b"
wrap ".policy.permissions.fs += [{path: \"$ws/a:b\", access: \"read\"}]"
is "a path that is none for Kubernetes" "$status $(field .exec)" "4 null"
prepare -s read-only -- true
wrap
is "a workspace that is only read" "$(pod ".spec.containers[0].volumeMounts[] | select(.mountPath == \"$ws\").readOnly")" true
finish
