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

/*
 * Bytes: a number alone, or one with K, M, G or T (times 1024 each), also as KB or
 * KiB, in any case; "1.5G" is allowed.  -1: it is no size, or more than any machine has.
 */
int size_parse(const char *text, int64_t *bytes);

/* As a person would write it: "512M", "1.5G", "1000"; to be freed. */
char *size_text(int64_t bytes);

/* "1.5" in parts of one, of which there are `unit`; no more digits than that. */
int decimal_parse(const char *text, int64_t unit, int64_t *parts);
char *decimal_text(int64_t parts, int64_t unit);

#endif
