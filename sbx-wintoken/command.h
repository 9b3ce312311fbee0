/*
 * Which command line starts the launcher?  The "exec" of a document.
 */
#ifndef SBX_WINTOKEN_COMMAND_H
#define SBX_WINTOKEN_COMMAND_H

#include "base/error.h"

#include <jansson.h>

/*
 * Puts the launcher and the plan in front of exec.argv, and makes the plan's
 * changes to exec.env.  Without "exec", which sbx-wrap makes, the command gets
 * the variables that every program needs and no more.
 */
int command_wrap(json_t *doc, const json_t *plan, struct error *err);

#endif
