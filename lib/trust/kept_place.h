/*
 * Where does sbx keep what lasts from run to run, such as caches of workspaces?
 */
#ifndef SBX_TRUST_KEPT_PLACE_H
#define SBX_TRUST_KEPT_PLACE_H

/* "sbx" in $XDG_STATE_HOME, or in .local/state of $HOME; NULL: neither names a place. */
char *kept_place(void);

/* That directory, and what is missing above it, closed to others; -1 with errno. */
int kept_make(const char *kept);

#endif
