/*
 * How is a command held by a cgroup of its own?
 *
 * One is made at each place for the time of the run, with a name of chance and a lock,
 * by which the next run knows what a killed one has left.  The command cannot change
 * it: inside, the file system of cgroups is read-only.
 */
#ifndef SBX_LIMITS_CGROUP_H
#define SBX_LIMITS_CGROUP_H

#include "limits/cgroup_place.h"
#include "policy/resource_limits.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cgroup_node {
	int parent, dir;
	bool unified;
	unsigned holds; /* as in struct cgroup_place */
};

struct cgroup {
	struct cgroup_node nodes[PLACES_MAX];
	size_t count;
	char name[32];
};

/*
 * Makes what can be made, for limits of which `beside` processes of ours are no part.
 * What is not held then was not possible: see cgroup_holds().
 */
void cgroup_make(struct cgroup *cgroup, const struct limits *limits, unsigned beside);
unsigned cgroup_holds(const struct cgroup *cgroup);

/* fork() into it, as far as that is possible; the rest is for cgroup_enter() in the child. */
pid_t cgroup_fork(const struct cgroup *cgroup, bool *entered);

/* System calls only, and one thread; -1 with errno. */
int cgroup_enter(const struct cgroup *cgroup, bool entered);

/* Another process of it closes what is open. */
void cgroup_forget(struct cgroup *cgroup);

/* What is used, and what was hit since the beginning; -1 where nobody counts. */
struct cgroup_state {
	int64_t memory, memory_peak, processes, processes_peak, cpu_us;
	int64_t out_of_memory, refused; /* times */
};
void cgroup_look(const struct cgroup *cgroup, struct cgroup_state *state);

/* Numbers of its processes, at most `most`. */
size_t cgroup_members(const struct cgroup *cgroup, pid_t *pids, size_t most);

/* Ends all in it, and removes it. */
void cgroup_remove(struct cgroup *cgroup);

#endif
