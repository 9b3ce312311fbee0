/*
 * How does a program end that is given a little time, and what does it say?
 */
#ifndef SBX_SELECT_BRIEF_H
#define SBX_SELECT_BRIEF_H

#include <stddef.h>

/*
 * The first bytes of what it writes on stream 1 or 2 are in text; the others are
 * of /dev/null.  Its exit code, 128 + a signal, or -1 when it could not be
 * started or took too long.
 */
int brief_run(const char *path, char *const *argv, char *const *envp, int stream, long limit_ms,
              char *text, size_t size);

#endif
