/*
 * Where is the home directory: as $HOME says, and as it is registered?
 */
#ifndef SBX_FS_HOME_DIRECTORY_H
#define SBX_FS_HOME_DIRECTORY_H

#include <stdbool.h>

/* What $HOME names: canonical, to be freed; NULL when that is no place. */
char *home_named(void);

/*
 * Where a shell of this user starts: canonical, to be freed; NULL when it is not
 * known, with errno where it could not be looked up.
 */
char *home_registered(void);

/* A home directory, or one that holds it: nobody gives that away for a file in it. */
bool around_home(const char *path);

/* In one of them, at whatever depth. */
bool below_home(const char *path);

#endif
