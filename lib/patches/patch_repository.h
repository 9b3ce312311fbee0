/*
 * Would git or another version control obey a file of a patch later?
 *
 * Their settings run programs on the host.  What a command leaves of that kind is
 * put aside after its run; a patch does not write it unasked in the first place.
 */
#ifndef SBX_PATCHES_PATCH_REPOSITORY_H
#define SBX_PATCHES_PATCH_REPOSITORY_H

#include "policy/permissions.h"

/*
 * `file` is one of the patch's files.  What an entry names, or lies around, is
 * nobody's to refuse: it was opened on purpose.
 */
bool patch_makes_repository(const struct permissions *permissions, char *const *files,
                            const char *file);

#endif
