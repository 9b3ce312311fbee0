/*
 * What does a project's file widen?
 *
 * Only what a person looked at may widen.  So every key that a project can set
 * has an order here: a value that is not wider than what holds without the file
 * narrows, and everything else, what nobody can decide included, widens.
 */
#ifndef SBX_POLICY_PROJECT_WIDENING_H
#define SBX_POLICY_PROJECT_WIDENING_H

#include "config/config.h"

#include <stddef.h>

struct widenings {
	struct widening {
		char *key;    /* dotted */
		char *value;  /* as JSON */
		char *source; /* file:line */
	} * items;
	size_t count;
};

/* What in `own`, the layer of a project, is wider than `base`, the layers below. */
void widenings_find(struct widenings *found, const struct config *own, const struct config *base);

/* The same, and takes it out of the layer. */
void widenings_remove(struct widenings *found, struct config *own, const struct config *base);

void widenings_free(struct widenings *found);

#endif
