/*
 * Which part of the workspace stays writable?
 *
 * --narrow can only take away: a directory counts as far as it lies in the workspace
 * and is writable anyway, and what is protected in it stays so.
 */
#ifndef SBX_POLICY_RESOLVE_NARROWED_H
#define SBX_POLICY_RESOLVE_NARROWED_H

#include "entries/workbench.h"

/* Before roots are protected: the directories become roots, so that they are. */
void narrow_roots(struct workbench *bench);

/* After it: the rest of the workspace is for reading. */
void narrow_workspace(struct workbench *bench);

#endif
