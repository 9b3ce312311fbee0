/*
 * Which words do documents, options and configuration files share?
 *
 * Each list is in the order of its enum and ends with NULL.
 */
#ifndef SBX_POLICY_WORDS_H
#define SBX_POLICY_WORDS_H

#include "base/strings.h"

#include <jansson.h>
#include <stdbool.h>

/* sandbox_policy.type, --sandbox */
enum mode {
	MODE_READ_ONLY,
	MODE_WORKSPACE_WRITE,
	MODE_DANGER,
	MODE_EXTERNAL,
};

/* approval_policy, --ask-for-approval; from the most cautious on */
enum approval_policy {
	ASK_UNTRUSTED,
	ASK_ON_CHANGE, /* runs in a preview, and asks about what it changed */
	ASK_ON_FAILURE,
	ASK_ON_REQUEST,
	ASK_NEVER,
};

/* sandbox.type, exec.sandbox */
enum sandbox_type {
	SANDBOX_NONE,
	SANDBOX_LINUX,
	SANDBOX_MACOS,
	SANDBOX_WINDOWS,
	SANDBOX_OCI,
	SANDBOX_KUBERNETES,
	SANDBOX_SYSTEMD,
};

/* permissions.network, --network; from less to more */
enum network {
	NETWORK_OFF,
	NETWORK_LOOPBACK,
	NETWORK_HOSTS, /* and what permissions.hosts lists */
	NETWORK_ON,
};

extern const char *const mode_names[];
extern const char *const approval_names[];
extern const char *const sandbox_names[];
extern const char *const network_names[];

/* sbx.accept_lost, --accept-lost: guarantees that a person can do without. */
extern const char *const accepted_names[];

/* Classes of questions that an approval policy can refuse unasked: policy.granular. */
extern const char *const granular_names[];

/* "a, b or c", to be freed. */
char *words_joined(const char *const *words);

/* What a policy says: an enum, or -1 where it says nothing that is known. */
int policy_mode(const json_t *policy);
int policy_asks(const json_t *policy);

/* What is written has no effect until it is applied. */
bool policy_is_previewed(const json_t *policy);

/* read-only, workspace-write, external-sandbox, danger-full-access: from 0; else -1. */
int mode_width(int mode);

#endif
