/*
 * How do the changes of a preview come to the host, all of them or none?
 */
#ifndef SBX_LINUX_SANDBOX_APPLY_APPLY_H
#define SBX_LINUX_SANDBOX_APPLY_APPLY_H

#include "changes/scan.h"
#include "policy/permissions.h"

#include <stdbool.h>

struct apply {
	const struct state *state;
	struct changes *changes; /* those that are not wanted are taken out */
	const struct permissions *then, *now;
	char *const *paths;  /* only what is at or below one of these; empty: all */
	bool force;          /* also what was changed on the host meanwhile */
	int place, journals; /* of states, and in it; open */
};

/* 0: done, and there is nothing to undo.  -1: nothing was changed. */
int apply(const struct apply *apply, struct error *err);

/* Undoes, or finishes, what was ended in between, if there is anything. */
void apply_recover(int journals);

#endif
