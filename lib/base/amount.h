/*
 * How long, or how much, does a person mean by "10m" or "2G"?
 */
#ifndef SBX_BASE_AMOUNT_H
#define SBX_BASE_AMOUNT_H

#include <stdint.h>

/* What to expect, in an error. */
#define DURATION_FORM "seconds, or a duration such as 0.5, 90s, 10m, 1.5h or 2d"

/*
 * Milliseconds, rounded up: a limit shorter than one is still a limit.  A number
 * alone is seconds; ms, s, m, h and d are units, and 1h30m is both.  -1: it is no
 * duration, or longer than any run.  No locale, sign or exponent.
 */
int duration_parse(const char *text, int64_t *ms);

/* As a person would write it: "10m", "1.5h", "300ms"; to be freed. */
char *duration_text(int64_t ms);

#endif
