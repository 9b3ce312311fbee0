/*
 * Where is the command's shared memory, where /dev/shm is everybody's?
 *
 * Names there belong to whatever else runs as this user.  So the broker makes
 * those of the command in a directory of the run's own, under the same names:
 * shm_open() and sem_open() work, and nothing of others is seen or left.
 */
#ifndef SBX_BROKER_SHARED_MEMORY_H
#define SBX_BROKER_SHARED_MEMORY_H

#include "base/error.h"
#include "policy/permissions.h"

#define SHARED_MEMORY "/dev/shm"

struct shared_memory {
	int fd;                                             /* of the directory, locked */
	char path[sizeof(SHARED_MEMORY "/sbx-shm.XXXXXX")]; /* "": there is none */
};

/* Unless the policy has something to say about the place, or it is not there. */
int shared_memory_make(struct shared_memory *memory, struct permissions *permissions,
                       struct error *err);

/* When the processes are gone. */
void shared_memory_remove(struct shared_memory *memory);

#endif
