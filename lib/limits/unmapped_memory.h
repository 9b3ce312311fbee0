/*
 * How much memory is in files that exist in memory alone?
 *
 * memfd_create() and a /dev/shm make files that are charged to nobody whom /proc shows,
 * as long as nobody maps them.
 */
#ifndef SBX_LIMITS_UNMAPPED_MEMORY_H
#define SBX_LIMITS_UNMAPPED_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct unmapped_memory {
	int64_t bytes;
	ino_t *seen; /* each file once */
	size_t count;
	size_t looked; /* descriptors */
	dev_t shm;     /* of a /dev/shm that was counted */
};

/*
 * What this process of so many threads has open, and its /dev/shm where that is not ours;
 * one thread of it is alive.
 */
void unmapped_memory_add(struct unmapped_memory *memory, pid_t process, pid_t alive,
                         int64_t threads);
void unmapped_memory_free(struct unmapped_memory *memory);

#endif
