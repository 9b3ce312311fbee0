/*
 * Who ends a sandbox that is still being made when the outer stage is killed?
 *
 * bubblewrap's first process dies with the outer stage; the second one is tied
 * to the first only when its mounts are made, and waits for it before, for
 * ever.  In our own copy it watches the line to the outer stage (bubblewrap.c).  For
 * a bubblewrap of the system a process of ours looks on.
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_START_GUARD_H
#define SBX_LINUX_SANDBOX_OUTER_START_GUARD_H

#include <sys/types.h>

/* In the process that becomes bubblewrap, and leads a group; 0, or -1 with errno. */
int guard_start(pid_t outer);

#endif
