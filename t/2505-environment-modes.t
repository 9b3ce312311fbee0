#!/bin/bash
# SBX_SANDBOX_MODE and SBX_APPROVAL stand between files and flags, and only narrow.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

both() { ask '.policy | "\(.sandbox_policy.type) \(.approval_policy)"'; }
config 'sandbox_mode = "workspace-write"' 'approval_policy = "on-request"'
policy
is "control: the file alone" "$(both)" "workspace-write on-request"
SBX_SANDBOX_MODE=read-only policy
is "a narrower mode" "$(both)" "read-only on-request"
is "its source" "$(ask .policy.sources.sandbox_mode)" "environment SBX_SANDBOX_MODE"
SBX_SANDBOX_MODE=danger-full-access policy
is "not a wider one" "$status $(both)" "0 workspace-write on-request"
like "... which is said" "$err" 'SBX_SANDBOX_MODE: "danger-full-access" is wider'
SBX_APPROVAL=untrusted policy
is "who asks more" "$(both)" "workspace-write untrusted"
SBX_APPROVAL=never policy
is "not who asks less" "$(both)" "workspace-write on-request"
SBX_SANDBOX_MODE=read-only SBX_APPROVAL=untrusted policy -s workspace-write -a never
is "flags stand above" "$(both)" "workspace-write never"
SBX_SANDBOX_MODE=read-only policy --full-auto
is "all of them" "$(both)" "workspace-write never"
SBX_SANDBOX_MODE='readonly' policy
is "another word is an error" "$status" 3
SBX_SANDBOX_MODE='' policy
is "an empty one is none" "$(both)" "workspace-write on-request"
config 'default_permissions = "x"' '[permissions.x]' 'extends = ":workspace"'
SBX_SANDBOX_MODE=read-only policy
like "a set is not narrowed by a mode: refused" "$status $err" '^3 .*permission set "x"'
SBX_SANDBOX_MODE=workspace-write policy
is "control: nor widened" "$status" 0
finish
