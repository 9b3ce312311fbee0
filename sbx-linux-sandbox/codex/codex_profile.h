/*
 * --permission-profile: what does a permission profile of codex ask for?
 */
#ifndef SBX_LINUX_SANDBOX_CODEX_PROFILE_H
#define SBX_LINUX_SANDBOX_CODEX_PROFILE_H

#include "base/error.h"
#include "base/strings.h"

#include <jansson.h>

/* As options of sbx-run. */
int codex_profile(struct strings *words, json_t *profile, struct error *err);

#endif
