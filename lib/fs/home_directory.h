/*
 * Where is the home directory: as $HOME says, and as it is registered?
 */
#ifndef SBX_FS_HOME_DIRECTORY_H
#define SBX_FS_HOME_DIRECTORY_H

/* What $HOME names: canonical, to be freed; NULL when that is no place. */
char *home_named(void);

/*
 * Where a shell of this user starts: canonical, to be freed; NULL when it is not
 * known, with errno where it could not be looked up.
 */
char *home_registered(void);

#endif
