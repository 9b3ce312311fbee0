/*
 * --allow NAME: which paths does a preset mean here?  The table is in
 * share/presets.
 */
#ifndef SBX_GRANT_PRESETS_H
#define SBX_GRANT_PRESETS_H

#include "base/complain.h"
#include "base/error.h"
#include "git/repository.h"
#include "policy/permissions.h"

#include <stdbool.h>

/* One path of a preset, as the table says it: where it leads is not looked at. */
struct preset_path {
	const char *preset;
	const char *base; /* canonical */
	const char *path; /* from base; "" is base itself */
	enum access access;
	bool bare; /* no repository is ever in it */
	bool new;  /* to be made by the command itself: open also while it is missing */
};

typedef void preset_found(void *context, const struct preset_path *path);

/* Whose paths are looked for, and for whom. */
struct preset_place {
	const char *workspace; /* canonical */
	const struct repository *repository;
	struct notes *notes; /* a variable that is not believed is noted here */
};

/* The i-th name of the table, each as often as it has lines; NULL at the end. */
const char *preset_name(size_t i);

/* device:NAME, a device of this machine, is a preset too. */
bool preset_is_device(const char *name);

/* Why nothing is opened by it, and what helps instead; NULL: something is. */
const char *preset_kept(const char *name);

/* What a preset opens of a cache, and where it is if no variable says so. */
struct preset_cache {
	const char *variable;
	const char *place; /* in the home directory */
	const char *path;  /* in that; "": all of it */
	bool file;         /* not a directory */
};

/* The i-th of them; false: there are no more. */
bool preset_cache(const char *name, size_t i, struct preset_cache *out);

/*
 * The paths of the preset called name.  An unknown name finds nothing; "git"
 * outside of a repository is an error.
 */
int preset_expand(const char *name, const struct preset_place *place, preset_found *found,
                  void *context, struct error *err);

/*
 * What "git" says of a repository's own directory, the i-th line: a name in
 * it, and whether it stays read-only or in place.  NULL at the end.
 */
const char *preset_in_git(size_t i, enum access *access);

#endif
