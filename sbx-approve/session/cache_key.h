/*
 * The key of a decision: which command is this an answer to?
 */
#ifndef SBX_APPROVE_SESSION_CACHE_KEY_H
#define SBX_APPROVE_SESSION_CACHE_KEY_H

#include "base/error.h"
#include "document/document.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * "exec:" and the command as a shell would have to read it, or "patch:" and
 * each file.  Quoted, because "a b" and "a" "b" are two commands.
 */
char *approval_key(const json_t *doc, const struct command *command, struct error *err);

/*
 * What a session remembers an approval under: a list, one entry for a command
 * or one for each file of a patch.  Each binds the words of the command, the
 * directory, the policy, the given environment, what was asked and whether the
 * run is outside of the sandbox: an approval of one thing must not cover another.
 */
json_t *approval_binds(const json_t *doc, const struct command *command, bool outside,
                       const char *want);

/* The same for a host: whichever command of the policy it is that wants to reach it. */
json_t *host_binds(const json_t *doc, const char *key);

#endif
