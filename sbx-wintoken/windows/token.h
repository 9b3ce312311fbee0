/*
 * Which token does the command run with?
 */
#ifndef SBX_WINTOKEN_TOKEN_H
#define SBX_WINTOKEN_TOKEN_H

#include "read_plan.h"
#include "windows/system.h"

#include <stdbool.h>

/* A primary token; NULL with err. */
HANDLE token_make(const struct orders *orders, struct error *err);

/* Does the system know the token as restricted?  wine does not. */
bool token_is_restricted(HANDLE token);

/*
 * Owned and readable by nobody but the user and the system; for LocalFree().
 * `inherited`: by what is made in it, too.
 */
PSECURITY_DESCRIPTOR token_private(bool inherited, struct error *err);

#endif
