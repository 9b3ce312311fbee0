/*
 * Would something on the host run, load or follow what a preview changed?
 *
 * A hook in a repository that is five directories down, a recipe of a build, a link that
 * leads elsewhere: whoever says yes to a list of changes says yes to that as well, so each
 * is named in it with the reason, however much else there is.
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_RUNS_LATER_H
#define SBX_LINUX_SANDBOX_CHANGES_RUNS_LATER_H

#include "changes/scan.h"

/* For a person, and one of few; NULL: nothing is known that would. */
const char *runs_later(const struct state *state, const struct changes *changes,
                       const struct change *change);

#endif
