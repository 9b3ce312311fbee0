/*
 * The key of a decision: which command is this an answer to?
 */
#ifndef SBX_APPROVE_KEY_H
#define SBX_APPROVE_KEY_H

#include "document.h"
#include "error.h"

#include <jansson.h>

/*
 * "exec:" and the command as a shell would have to read it, or "patch:" and
 * each file.  Quoted, because "a b" and "a" "b" are two commands.
 */
char *approval_key(const json_t *doc, const struct command *command, struct error *err);

#endif
