/*
 * How does one wrapped document run, from check to result?
 */
#ifndef SBX_RUN_RUN_H
#define SBX_RUN_RUN_H

#include "arguments.h"
#include "supervise/signals.h"

#include <jansson.h>

/*
 * in: the command's stdin, or -1 for ours.  The command's exit code, or ours
 * (124 to 127), after a line on stderr that says why.  With --json the
 * document with its "result" goes to stdout.
 */
int run_document(json_t *doc, const struct arguments *arguments, const struct inherited *inherited,
                 int in);

#endif
