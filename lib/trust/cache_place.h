/*
 * Where does a tool keep its cache, and may a variable say so?
 */
#ifndef SBX_TRUST_CACHE_PLACE_H
#define SBX_TRUST_CACHE_PLACE_H

#include "base/complain.h"

/* A line of share/presets. */
struct cache {
	const char *workspace; /* canonical */
	const char *tool;      /* "pip" */
	const char *variable;  /* that names the directory, or "" */
	const char *place;     /* where it is else, from the home directory */
	const char *inside;    /* what is opened of it; "": all */
};

/*
 * The directory, canonical, or NULL.  A variable of the environment is only
 * believed where it names a place in the home directory, outside the
 * workspace, that holds nothing else.
 */
char *cache_directory(const struct cache *cache, struct notes *notes);

#endif
