/*
 * What does a session give to the next command, whatever it is?
 *
 * A grant that was approved for the session holds from the first attempt on, for
 * every command in the same directory under the same policy, in the sandbox.  It
 * is no answer to a patch, and none to leaving the sandbox.
 */
#ifndef SBX_APPROVE_SESSION_SCOPE_H
#define SBX_APPROVE_SESSION_SCOPE_H

#include "grant/grant.h"

#include <jansson.h>

/* What an approval is marked with that gives this to others, too; NULL: it does not. */
json_t *scope_mark(const json_t *bind, const struct grant *grant);

/*
 * All that those of the approvals (remembered.h) gave which have the same mark, as a
 * grant; NULL: nothing.  What leads elsewhere by now is left out.
 */
json_t *scope_grant(json_t *approvals, const json_t *bind);

#endif
