/*
 * Which places of a home directory are kept from a command that may write
 * around them?
 *
 * Start-up files, keys and settings that name programs run later, outside of
 * any sandbox.  Only those that exist are kept: what stands in for a missing
 * .bash_profile would keep a shell from reading .profile.
 */
#ifndef SBX_HOMES_H
#define SBX_HOMES_H

#include <stdbool.h>

struct homes {
	char *registered; /* where a shell of this user starts, whatever $HOME says; or NULL */
	char **places;    /* in $HOME and there, ended by NULL */
};

/* Asked about every place before it is looked at. */
typedef bool home_wanted(const void *context, const char *place);

/* wanted NULL: all of them.  -1 with errno. */
int homes_find(struct homes *homes, home_wanted *wanted, const void *context);
void homes_free(struct homes *homes);

#endif
