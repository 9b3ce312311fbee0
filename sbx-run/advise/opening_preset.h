/*
 * Which preset opens a path, on this machine and for this workspace?
 */
#ifndef SBX_RUN_ADVISE_OPENING_PRESET_H
#define SBX_RUN_ADVISE_OPENING_PRESET_H

#include "policy/permissions.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct opened {
	const char *preset;
	char *path;
	enum access access;
};

struct opened_list {
	struct opened *items;
	size_t count;
	bool expanded;         /* the file system was asked */
	const json_t *sources; /* whose roots are in force: presets by name */
};

void opened_free(struct opened_list *list);

/* The preset that makes this path writable, or NULL; workspace may be NULL. */
const char *opened_by(struct opened_list *list, const char *workspace, const char *path);

#endif
