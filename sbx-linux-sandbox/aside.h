/*
 * A file that must not keep its name gets another one, which nobody could
 * guess and a person can take back.
 */
#ifndef SBX_LINUX_ASIDE_H
#define SBX_LINUX_ASIDE_H

/* path is below the open directory; *name, to be freed, is its new last part.  -1 with errno. */
int aside_put(int directory, const char *path, char **name);

#endif
