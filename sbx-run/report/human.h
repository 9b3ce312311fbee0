/*
 * What was denied, in a few lines for a person?
 */
#ifndef SBX_RUN_REPORT_HUMAN_H
#define SBX_RUN_REPORT_HUMAN_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Writes about the "result" of a document to fd, about ten lines at most, or
 * nothing.  That nobody looked is said when the command failed, or `always`; that
 * an argument lies in the host's /tmp, which it did not see, when it failed.
 */
void human_report(const json_t *doc, int fd, bool always);

/*
 * The first of the denials, of a process that failed if there is one; to be freed.  Limits
 * do not count.  NULL: there is none.
 */
char *human_first(const json_t *denials, size_t *count);

/*
 * Was this person told already, since the machine started?
 */

enum told {
	TOLD_NEVER, /* and from now on: before */
	TOLD_BEFORE,
	TOLD_UNKNOWN, /* there is no place to remember it */
};

/* what: a word. */
enum told told(const char *what);

#endif
