/*
 * Does the same command still run the same programs?
 *
 * A yes to leave the sandbox that lasts is for what was there when it was given:
 * a script in the workspace is the sandbox's to rewrite.
 */
#ifndef SBX_APPROVE_SESSION_WHAT_RUNS_H
#define SBX_APPROVE_SESSION_WHAT_RUNS_H

#include "document/document.h"

#include <jansson.h>

/*
 * What it runs by name, and the scripts that it gives to what runs anything, as they are now;
 * null where nobody can tell, as of a shell that reads its commands from stdin.
 */
json_t *what_runs(const struct command *command);

#endif
