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

/* The same as the document names them, below its cwd: no link is resolved. */
char **patch_paths(const json_t *doc, struct error *err);

/*
 * Of a command that is the virtual program apply_patch, which is nobody's but
 * ours: the text of the patch.  NULL: it is another command.
 */
const json_t *patch_program(const json_t *command);

/*
 * One of them: does the policy let it be written, and is it nothing that makes a
 * repository, which would be obeyed later?
 */
bool patch_may_change(char *const *files, const struct permissions *permissions, const char *file);

/* The first of them that may not be changed unasked, to be freed; or NULL. */
char *patch_beyond(char *const *files, const struct permissions *permissions);

/*
 * Leaves of everything that can be written only these files.  One that does not
 * exist is named as well: whoever runs the patch makes it first (sbx-run), which
 * can be read.  A private /tmp (else NULL) stays as it is: nothing of the host's is in it.
 */
void patch_narrow(struct permissions *permissions, char *const *files, const char *tmp);

#endif
