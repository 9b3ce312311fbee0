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

/* False where there is none at all. */
bool proc_is_own(void);

#endif
