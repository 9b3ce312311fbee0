/*
 * --changes, --apply, --discard: what becomes of previews that were kept?
 */
#ifndef SBX_RUN_PREVIEW_COMMAND_H
#define SBX_RUN_PREVIEW_COMMAND_H

#include "arguments.h"

/* The exit status of sbx-run; -1: it is about no preview. */
int preview_command(const struct arguments *arguments);

#endif
