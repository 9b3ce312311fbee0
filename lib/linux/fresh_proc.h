/*
 * Would the kernel refuse a fresh /proc in a user namespace made here?
 *
 * It does where none of the ones that are there shows everything: containers
 * mask parts of theirs, and a new one would uncover them.
 */
#ifndef SBX_LINUX_FRESH_PROC_H
#define SBX_LINUX_FRESH_PROC_H

#include <stdbool.h>
#include <stdio.h>

/* False as well when it cannot be told: then it is to be tried. */
bool fresh_proc_refused(void);

/* The same by the lines of a mountinfo. */
bool fresh_proc_refused_by(FILE *mountinfo);

#endif
