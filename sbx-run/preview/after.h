/*
 * The command of a preview has ended: what becomes of its changes?
 */
#ifndef SBX_RUN_PREVIEW_AFTER_H
#define SBX_RUN_PREVIEW_AFTER_H

#include "preview/state.h"

/*
 * Sets result.changes, shows them, asks where somebody is to be asked, and does what was
 * answered.  The exit status, which is the command's own unless nobody agreed.
 */
int preview_end(struct preview_state *state, json_t *doc, const struct arguments *arguments,
                json_t *questions, int status);

#endif
