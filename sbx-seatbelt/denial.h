/*
 * What does a line of the system log say was denied?
 *
 * The kernel writes "Sandbox: NAME(PID) deny(N) OPERATION TARGET" into its
 * log; "log stream --style ndjson" gives one JSON object a line.  NAME and
 * TARGET are the words of the denied program.
 */
#ifndef SBX_SEATBELT_DENIAL_H
#define SBX_SEATBELT_DENIAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct denial {
	char *program;
	pid_t pid;
	char *operation; /* as the profile calls it: "file-write-create" */
	char *target;    /* a path, an address, a name; NULL: none was said */
	unsigned count;  /* the log folds repetitions */
};

/* True when the line is one; to be released by denial_free(). */
bool denial_parse(const char *line, size_t len, struct denial *denial);
void denial_free(struct denial *denial);

/* Denials of one kind by one program are one. */
bool denial_same(const struct denial *a, const struct denial *b);

/* As in result.denials. */
json_t *denial_json(const struct denial *denial);

#endif
