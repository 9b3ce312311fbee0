/*
 * --sandbox-policy: what does a policy of codex's older form ask for?
 */
#ifndef SBX_LINUX_SANDBOX_CODEX_POLICY_H
#define SBX_LINUX_SANDBOX_CODEX_POLICY_H

#include "base/error.h"
#include "base/strings.h"

#include <jansson.h>

/* As options of sbx-run. */
int codex_policy(struct strings *words, json_t *policy, struct error *err);

#endif
