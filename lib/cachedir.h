/*
 * Where does a tool keep its cache, and may a variable say so?
 */
#ifndef SBX_CACHEDIR_H
#define SBX_CACHEDIR_H

#include "notes.h"

/*
 * The directory, canonical, or NULL.  A variable of the environment is only
 * believed where it names a place in the home directory, outside the
 * workspace, that holds nothing else.
 */
char *cache_directory(const char *workspace, const char *variable, const char *place,
                      struct notes *notes);

#endif
