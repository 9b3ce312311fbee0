/*
 * Which limits does a process take on before it becomes the command?
 */
#ifndef SBX_LIMITS_OWN_LIMITS_H
#define SBX_LIMITS_OWN_LIMITS_H

#include <stdint.h>

/*
 * Where the machine has no memory left, the command goes first: 1000 is what nothing
 * else of the machine has.  System calls only.
 */
void go_first_without_memory(void);

/*
 * No more processes of this user, and no larger file; 0: no limit, and never more than
 * there was.  System calls only; -1 with errno.
 */
int own_limits_set(int64_t processes, int64_t file);

#endif
