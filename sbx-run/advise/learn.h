/*
 * --learn: which permission set would have allowed what was denied?
 */
#ifndef SBX_RUN_ADVISE_LEARN_H
#define SBX_RUN_ADVISE_LEARN_H

#include "base/error.h"

#include <jansson.h>

/* An fd for FILE; before anything runs, so that nothing can be put in its place. */
int learn_open(const char *path, struct error *err);

/*
 * Writes the set of a document that has run, with all that its policy gave, to
 * fd.  It is called after the command, or is the set that it ran with.
 */
int learn_print(const json_t *doc, int fd, struct error *err);

#endif
