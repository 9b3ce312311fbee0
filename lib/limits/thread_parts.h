/*
 * Which threads of a process have to be looked at?
 *
 * The first may have ended: then /proc shows nothing of the memory that the others go on
 * to use.  And one may have taken a table of descriptors for itself.
 */
#ifndef SBX_LIMITS_THREAD_PARTS_H
#define SBX_LIMITS_THREAD_PARTS_H

#include <sys/types.h>

/* One that lives; the process itself where none can be found. */
pid_t living_thread(pid_t process);

/* Calls for each whose descriptors are not those of `known`. */
void threads_apart(pid_t process, pid_t known, void (*look)(void *context, pid_t thread),
                   void *context);

#endif
