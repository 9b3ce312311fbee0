/*
 * What was denied so far?
 *
 * Each thing once, with a count, and no more of them than a person or a
 * program can use.
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_DENIAL_LIST_H
#define SBX_LINUX_SANDBOX_OBSERVER_DENIAL_LIST_H

#include "policy/permissions.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#define DENIALS_MAX 1000

struct denial {
	const char *op;
	const char *path;    /* or */
	const char *address; /* NULL, both: the call itself */
	const char *syscall;
	const char *program;       /* NULL: unknown */
	pid_t pid;                 /* who was denied it, to ask how that ended */
	const struct entry *entry; /* the deciding one */
	const char *rule;          /* without one: the member of the policy, or "seccomp" */
	const char *value;         /* and what it says */
	const char *member;  /* of the grant: write, read, network, unix_sockets; NULL: none */
	const char *granted; /* and what it gives */
};

struct denials;

/* Lines go to report as they come; -1: nowhere. */
struct denials *denials_new(int report);

void denials_add(struct denials *denials, const struct denial *denial);

/* How often each came, and how many were left out. */
void denials_conclude(struct denials *denials);

#endif
