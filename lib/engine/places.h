/*
 * Which places does an engine show, and how?
 *
 * A list in the order in which it is carried out, parents first.  An engine
 * looks its sources up by path when it starts, so nothing here is pinned: what
 * is a symbolic link, or goes through one, is refused or told as not held.
 */
#ifndef SBX_ENGINE_PLACES_H
#define SBX_ENGINE_PLACES_H

#include "base/error.h"
#include "base/strings.h"
#include "policy/permissions.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum place_kind {
	PLACE_READ,
	PLACE_WRITE,
	PLACE_TMP,  /* a private /tmp, empty */
	PLACE_HIDE, /* nothing of it is shown but what comes after it, below it */
};

struct place {
	enum place_kind kind;
	char *path;
	const char *root; /* the writable root that it lies in, of the same list; or NULL */
	bool directory;
	bool reopened; /* PLACE_HIDE: something below it is shown */
};

struct places {
	struct place *items;
	size_t count;
	bool all_readable;      /* / is read; else only what is listed exists */
	bool pins;              /* directories are mounted only to keep their names */
	bool tmp;               /* there is a private /tmp */
	struct strings links;   /* top-level links: name, target, name, target */
	struct strings missing; /* protected names that are not there */
	struct strings renamed; /* protected names that are links: their target is held only */
};

/* policy: of which the permissions are a part; says whether /tmp is private. */
int places_plan(const json_t *policy, const struct permissions *permissions, struct places *places,
                struct error *err);
void places_free(struct places *places);

#endif
