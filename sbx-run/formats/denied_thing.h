/*
 * What does a denial say, in words and names that other tools take?
 */
#ifndef SBX_RUN_FORMATS_DENIED_THING_H
#define SBX_RUN_FORMATS_DENIED_THING_H

#include <jansson.h>
#include <stdbool.h>

/* Each is to be freed.  The path, as bytes, or NULL: it is about none. */
char *denied_path(const json_t *denial);

/* "write", "connect", ... */
const char *denied_op(const json_t *denial);

/* One cleaned line: what was attempted, by which program, and what would allow it. */
char *denied_line(const json_t *denial);

/* The command as a shell would have to read it, cleaned; "" where there is none. */
char *command_line(const json_t *doc);

/* It failed, or did not run. */
bool run_failed(const json_t *doc);

/* How it ended: "exited with status 1", "not-found", ...; cleaned. */
char *run_ending(const json_t *doc);

#endif
