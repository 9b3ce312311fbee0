/*
 * What did a command take of the machine?
 */
#ifndef SBX_LIMITS_USAGE_H
#define SBX_LIMITS_USAGE_H

#include <jansson.h>
#include <stdint.h>
#include <sys/resource.h>

struct usage {
	int64_t memory_peak, processes_peak; /* -1: nobody looked */
	int64_t cpu_us, written;             /* bytes, to disks; -1 */
	const char *measured;                /* "cgroup", "watched" or "children" */
};

#define USAGE_NONE ((struct usage){.memory_peak = -1, .processes_peak = -1, .written = -1})

/* What the kernel keeps of children that were waited for, since `before`: of memory, the largest
 * one's. */
void usage_of_children(struct usage *usage, const struct rusage *before);

/* result.usage */
json_t *usage_json(const struct usage *usage);

#endif
