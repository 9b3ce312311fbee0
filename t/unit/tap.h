/*
 * What the tests in C print: the lines of TAP, and on stderr, where prove shows
 * it, why one failed.
 */
#ifndef SBX_TAP_H
#define SBX_TAP_H

#include <stdbool.h>
#include <stdio.h>

static int tap_count, tap_failed;

/* got: what there was instead, for a failure to show; may be NULL */
static inline void check(bool good, const char *what, const char *got)
{
	tap_count++;
	tap_failed += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", tap_count, what);
	if (!good)
		fprintf(stderr, "# %d - %s: got %s\n", tap_count, what, got ? got : "nothing");
}

/* The plan, and the exit code. */
static inline int finish(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0 || tap_count == 0;
}

#endif
