/*
 * Which variables turn a program that is allowed to run into another one?
 */
#ifndef SBX_POLICY_LOADS_CODE_H
#define SBX_POLICY_LOADS_CODE_H

#include <stdbool.h>
#include <stddef.h>

/* A variable that names code for a loader, an interpreter or a tool to run. */
bool loader_variable(const char *name, size_t len);

/*
 * A sandboxed command may have them: it is in the sandbox whatever it loads.  The
 * helper starts with them in its environment, so only one that has no loader and
 * loads no modules of a C library passes them on.
 */
#ifdef SBX_LEAN
#define LOADERS_PASS true
#else
#define LOADERS_PASS false
#endif

#endif
