/*
 * Which repositories were found below a root before?
 *
 * The walk that looks for them is bounded, and a command can fill the root
 * with names until the next walk ends too early.  What an earlier run has
 * found is therefore kept in sbx's own directory, which no command can write,
 * and is protected first as long as it exists.
 */
#ifndef SBX_POLICY_REPOSITORIES_REMEMBERED_REPOSITORIES_H
#define SBX_POLICY_REPOSITORIES_REMEMBERED_REPOSITORIES_H

#include "entries/workbench.h"

#include <stdbool.h>

struct remembered {
	struct root_list paths; /* from the root; those of the file come first */
	size_t old;             /* how many of them the file has */
	size_t gone;            /* how many of the file do not exist any more */
	bool was_complete;      /* a walk of this root has seen everything */
};

/* Protects what was found before and exists.  What cannot be read is as nothing. */
void remembered_protect(struct remembered *remembered, struct workbench *bench, const char *root);

/* Adds one that was found now. */
void remembered_add(struct remembered *remembered, const char *relative);

/* Writes down what is new, and says when a walk ended too early that did not before. */
void remembered_keep(struct remembered *remembered, struct workbench *bench, const char *root);

#endif
