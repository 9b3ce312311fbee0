/*
 * Where does a patch put a file that is not there yet?
 *
 * In the sandbox it can write its files and no directory, so what it is to
 * make is made for it, empty, and what it then left alone is taken back.
 */
#ifndef SBX_RUN_ADVISE_PATCH_PLACES_H
#define SBX_RUN_ADVISE_PATCH_PLACES_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>
#include <sys/stat.h>

struct patch_places {
	struct patch_place {
		int directory; /* that it was made in */
		char *name;
		struct stat st;
	} * places;
	size_t count;
};

/* Nothing when the document is no patch; -1 when one of its files cannot be made. */
int patch_places_make(const json_t *doc, struct patch_places *made, struct error *err);

/* Removes what is still as it was made, the last first. */
void patch_places_take_back(struct patch_places *made);

#endif
