/*
 * Which places of a home directory are kept from a command that may write
 * around them?
 *
 * Start-up files, keys and settings that name programs run later, outside of
 * any sandbox.  Only those that exist are kept: what stands in for a missing
 * .bash_profile would keep a shell from reading .profile.
 */
#ifndef SBX_TRUST_HOME_FILES_H
#define SBX_TRUST_HOME_FILES_H

#include "base/strings.h"

#include <stdbool.h>
#include <stddef.h>

struct homes {
	char *registered;      /* see home_directory.h */
	struct strings places; /* in $HOME and there */
};

/* True when path lies in root.  Who opens "/" wants no sandbox for files: nothing does. */
bool root_holds(const char *root, const char *path);

/* The writable ones. */
struct roots {
	char *const *paths;
	size_t count;
};

/* What lies in these, unless it is one of them; NULL: everything.  -1 with errno. */
int homes_find(struct homes *homes, const struct roots *roots);
void homes_free(struct homes *homes);

#endif
