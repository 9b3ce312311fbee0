/*
 * Does this command destroy things that cannot be brought back?
 *
 * The opposite bias of "safe": literal commands are looked for in any syntax,
 * behind sudo, env and xargs, in nested shells, loops and substitutions.
 * Finding one raises the risk; not finding one proves nothing.
 */
#ifndef SBX_APPROVE_COMMAND_DANGEROUS_H
#define SBX_APPROVE_COMMAND_DANGEROUS_H

#include <stdbool.h>
#include <stddef.h>

/* Called with every literal command found, argv and all; may be NULL. */
typedef void found_command(char *const *argv, void *context);

/* What is dangerous about it, in a few words, or NULL. */
const char *danger(char *const *argv, found_command *found, void *context);

#endif
