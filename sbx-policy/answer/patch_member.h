/*
 * Which files does the text of a patch change?
 */
#ifndef SBX_POLICY_ANSWER_PATCH_MEMBER_H
#define SBX_POLICY_ANSWER_PATCH_MEMBER_H

#include "base/error.h"

#include <jansson.h>

/* Sets command.patch and command.files from a file; "-": from stdin. */
int patch_take(json_t *doc, const char *file, const char *cwd, struct error *err);

#endif
