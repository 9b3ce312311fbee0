#include "policy/words.h"

#include "base/memory.h"

#include <stdlib.h>

const char *const mode_names[] = {"read-only", "workspace-write", "danger-full-access",
                                  "external-sandbox", NULL};
const char *const approval_names[] = {"untrusted",  "on-change", "on-failure",
                                      "on-request", "never",     NULL};
const char *const sandbox_names[] = {
        "none",        "linux-seccomp",  "macos-seatbelt", "windows-restricted-token",
        "oci-runtime", "kubernetes-pod", "systemd-unit",   NULL};
const char *const network_names[] = {"off", "loopback", "hosts", "on", NULL};
const char *const accepted_names[] = {"protected-paths", "pinned-paths", "hosts",  "unix-sockets",
                                      "network",         "time-limit",   "limits", NULL};

const char *const granular_names[] = {"sandbox_approval",    "rules",          "mcp_elicitations",
                                      "request_permissions", "skill_approval", NULL};

char *words_joined(const char *const *words)
{
	char *out = xstrdup(words[0]);

	for (size_t i = 1; words[i]; i++) {
		char *longer = xasprintf("%s%s%s", out, words[i + 1] ? ", " : " or ", words[i]);

		free(out);
		out = longer;
	}
	return out;
}

int policy_mode(const json_t *policy)
{
	const json_t *sandbox_policy = json_object_get(policy, "sandbox_policy");

	return word_index(mode_names, json_string_value(json_object_get(sandbox_policy, "type")));
}

int policy_asks(const json_t *policy)
{
	return word_index(approval_names,
	                  json_string_value(json_object_get(policy, "approval_policy")));
}

bool policy_is_previewed(const json_t *policy)
{
	return json_is_true(json_object_get(policy, "preview"));
}

int mode_width(int mode)
{
	static const int widths[] = {
	        [MODE_READ_ONLY] = 0,
	        [MODE_WORKSPACE_WRITE] = 1,
	        [MODE_EXTERNAL] = 2,
	        [MODE_DANGER] = 3,
	};

	return mode < 0 ? -1 : widths[mode];
}
