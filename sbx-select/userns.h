/*
 * Can this program make a user namespace, and use what it gives?
 */
#ifndef SBX_SELECT_USERNS_H
#define SBX_SELECT_USERNS_H

#include <stdbool.h>

/*
 * On success the process is in a namespace of its own, unless it was tried
 * aside, in a child.  On failure *why is
 * the errno, and *capless says that the namespace was made and its
 * capabilities withheld.
 */
bool userns_try(int *why, bool *capless, bool aside);

/* AppArmor withholds the capabilities of unprivileged namespaces. */
bool userns_restricted_by_apparmor(void);

#endif
