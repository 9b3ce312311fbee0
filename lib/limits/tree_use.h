/*
 * What do a process and its descendants use, as far as /proc says it?
 *
 * For where no cgroup counts.  Memory that several share is counted in parts; memory
 * that no process has mapped is counted where a process has it open, or where the
 * sandbox has a /dev/shm or segments of System V of its own.
 */
#ifndef SBX_LIMITS_TREE_USE_H
#define SBX_LIMITS_TREE_USE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define COMM_SIZE 16 /* of a process's name, as the kernel has it */

struct tree_use {
	int64_t memory, processes; /* processes: with their threads */
	char biggest[COMM_SIZE];   /* the name of the one with the most memory */
	char commonest[COMM_SIZE]; /* the name that most of them have */
};

/* Whether there is a /proc with our own numbers. */
bool tree_use_can_look(void);

/*
 * Of the descendants of `root`, itself not.  Up to `enough` memory it is not looked at
 * exactly; 0: memory does not matter.  The table of segments is -1 until there is one; the
 * caller closes it.
 */
void tree_use_look(pid_t root, int64_t enough, int *segments, struct tree_use *use);

/* The same of these processes; without their memory that is not mapped. */
void processes_name(const pid_t *pids, size_t count, struct tree_use *use);

/* How many processes and threads this user has, as far as they are shown. */
int64_t processes_of_user(void);

/* How many processes and threads the machine has; -1. */
int64_t machine_processes(void);

#endif
