/*
 * How are the limits of a run held, and which one was reached?
 *
 * By a cgroup where one can be made; what it does not hold is looked at every moment,
 * which is approximate.  A limit that is reached ends the run.
 */
#ifndef SBX_LIMITS_LIMITER_H
#define SBX_LIMITS_LIMITER_H

#include "limits/cgroup.h"
#include "limits/tree_use.h"
#include "limits/usage.h"
#include "policy/resource_limits.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What is around the command, and no part of it. */
struct surroundings_of_command {
	unsigned in_cgroup; /* processes of ours that are in its cgroup */
	unsigned below;     /* and that are descendants of the one we look at */
	bool own_user;      /* it is counted in a user namespace of its own */
	bool bounded_tmp;   /* its /tmp is a file system of the size that was asked for */
};

struct limiter {
	struct limits limits;
	struct surroundings_of_command around;
	struct cgroup cgroup;
	unsigned held, watched; /* by the cgroup, by us; 1 << LIMIT_... */
	pid_t root;             /* whose descendants are the command's */
	int64_t due;            /* ms: when to look again; 0: never */
	int64_t whole;          /* and when at all that is watched */
	int64_t machine;        /* processes that there were at the last such look */
	int tmp;                /* the root of a bounded /tmp, or -1 */
	int segments;           /* the table of those that the command has, or -1 */
	int reached;            /* enum limit, or -1 */
	char program[COMM_SIZE];
	struct usage usage;
	struct rusage before; /* of what was waited for by then */
};

/* -1: what is to be looked at cannot be seen here. */
int limiter_begin(struct limiter *limiter, const struct limits *limits,
                  const struct surroundings_of_command *around, struct error *err);

/* fork(); the child begins with limiter_child(), which is -1 with errno. */
pid_t limiter_fork(const struct limiter *limiter, bool *entered);
int limiter_child(const struct limiter *limiter, bool entered);

/* In the child, when it has no more to do with it. */
void limiter_forget(struct limiter *limiter);

/* So many processes of its user the command may have; see own_limits.h. */
int64_t limiter_processes(const struct limiter *limiter);

/* Of the ones that were given, those that no cgroup holds. */
unsigned limiter_lost(const struct limiter *limiter);

/* The command is called by its name until one of its programs is seen to use more. */
void limiter_started(struct limiter *limiter, pid_t root, const char *command);

/* How many ms until the next look; -1: none is needed. */
int limiter_left(const struct limiter *limiter, int64_t now);

/* True when a limit is reached; at any time. */
bool limiter_look(struct limiter *limiter, int64_t now);

/* What the command leaves behind would go on without its limits: nobody else counts it. */
bool limiter_ends_all(const struct limiter *limiter);

/* The bounded /tmp, as this process inside sees it. */
void limiter_keep_tmp(struct limiter *limiter, pid_t inside, const char *path);

/* The command ended with this wait status: true when it must not have gone on. */
bool limiter_judge(struct limiter *limiter, int status);

/* All is over: what was used, and nothing of ours stays. */
void limiter_end(struct limiter *limiter);

/* {"op":"limit","limit","value","program"}; NULL: none was reached. */
json_t *limiter_denial(const struct limiter *limiter);

#endif
