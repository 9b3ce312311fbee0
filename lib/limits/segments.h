/*
 * How much memory is in segments of System V in a namespace that is not ours?
 *
 * They stay when nobody maps them.  The table of them in /proc is that of whoever opens
 * it, and can be read by us when somebody has opened it there.
 */
#ifndef SBX_LIMITS_SEGMENTS_H
#define SBX_LIMITS_SEGMENTS_H

#include <stdint.h>
#include <sys/types.h>

/* The table where this process is; -1: it is ours, or cannot be had. */
int segments_open(pid_t process);

int64_t segments_bytes(int table);

#endif
