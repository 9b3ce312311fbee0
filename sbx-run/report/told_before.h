/*
 * Was this person told already, since the machine started?
 */
#ifndef SBX_RUN_REPORT_TOLD_BEFORE_H
#define SBX_RUN_REPORT_TOLD_BEFORE_H

enum told {
	TOLD_NEVER, /* and from now on: before */
	TOLD_BEFORE,
	TOLD_UNKNOWN, /* there is no place to remember it */
};

/* what: a word. */
enum told told(const char *what);

#endif
