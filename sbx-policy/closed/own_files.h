/*
 * What of sbx itself must a sandboxed program never replace?
 */
#ifndef SBX_POLICY_RESOLVE_OWN_FILES_H
#define SBX_POLICY_RESOLVE_OWN_FILES_H

#include "base/error.h"
#include "entries/workbench.h"

/* The suite and its settings; a root that holds them is an error. */
int protect_own(struct workbench *bench, struct error *err);

#endif
