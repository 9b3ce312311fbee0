/*
 * Where are the things that decide about the next run: the programs of sbx, the
 * user's configuration, the session?
 */
#ifndef SBX_TRUST_OWN_PLACES_H
#define SBX_TRUST_OWN_PLACES_H

#include <stdbool.h>

/*
 * The i-th such directory, as named or canonical, to be freed; NULL where there
 * is none, for all i below OWN_PLACES.
 */
#define OWN_PLACES 6
char *own_place(unsigned i);

/*
 * The path is one of these, or in a user's place for private directories
 * (slash_tmp.h), or lies in one: nothing ever opens it.
 */
bool inside_own_place(const char *path);

#endif
