/*
 * Does /proc name processes by the numbers that they have here?
 *
 * One of another process namespace, as in a sandbox around this one that could
 * mount no fresh one, has other numbers: what is looked up there by number is
 * about somebody else.
 */
#ifndef SBX_PROCESS_OWN_PROC_H
#define SBX_PROCESS_OWN_PROC_H

#include <stdbool.h>

/* 0 where there is none at all; -1 with errno: it cannot be said. */
int proc_look(void);

/* False also where it cannot be said: nothing is looked up by number then. */
bool proc_is_own(void);

#endif
