/*
 * What is the launcher to do?
 *
 * The plan has all of it, as data that can be read anywhere;
 * share/schema/wintoken-plan.json describes it.
 */
#ifndef SBX_WINTOKEN_PLAN_H
#define SBX_WINTOKEN_PLAN_H

#include "base/error.h"

#include <jansson.h>

/* From a document with "policy" and "command"; a new reference. */
json_t *plan_make(json_t *doc, struct error *err);

/* windows_sandbox_level: what the policy's features switch on. */
const char *plan_level(const json_t *policy);

#endif
