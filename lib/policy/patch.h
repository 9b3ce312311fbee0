/*
 * What may a patch change?  Its own files, as far as the policy lets them be
 * written, and nothing else.
 */
#ifndef SBX_POLICY_PATCH_H
#define SBX_POLICY_PATCH_H

#include "policy/permissions.h"

/*
 * The files of a patch, absolute and with links resolved where that can be said;
 * NULL: no patch, or err says why.
 */
char **patch_files(const json_t *doc, struct error *err);

/* The first of them that the policy does not let anybody write, to be freed; or NULL. */
char *patch_beyond(char *const *files, const struct permissions *permissions);

/*
 * Leaves of everything that can be written only these files.  One that does not
 * exist is named as well: whoever runs the patch makes it first (sbx-run).  A
 * private /tmp (else NULL) stays as it is: nothing of the host's is in it.
 */
void patch_narrow(struct permissions *permissions, char *const *files, const char *tmp);

#endif
