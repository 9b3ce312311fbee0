/*
 * --apply-patch: which patch, and what goes through the stages for it?
 */
#ifndef SBX_RUN_PATCH_PATCH_COMMAND_H
#define SBX_RUN_PATCH_PATCH_COMMAND_H

#include "arguments.h"

/*
 * Called apply_patch or applypatch, or with --codex-run-as-apply-patch as the first word, this
 * program is the tool alone: argv becomes that of --apply-patch.  2 for wrong use, else 0.
 */
int patch_words(int *argc, char ***argv);

/*
 * The patch, read and looked at.  0, or the exit status of a patch that cannot be
 * applied, after a line on stderr; by_name: of the tool alone.
 */
int patch_prepare(struct arguments *arguments, bool by_name);

#endif
