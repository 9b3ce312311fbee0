/*
 * What is the observer to know of the sandbox?
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_OBSERVATION_H
#define SBX_LINUX_SANDBOX_OBSERVER_OBSERVATION_H

#include "filter/filter_rule.h"
#include "network/listed_sockets.h"
#include "observer/denial_list.h"
#include "policy/permissions.h"
#include "process/descendants.h"
#include "tmp/mount_points.h"

#include <stdbool.h>
#include <stdint.h>

struct observation {
	const struct permissions *permissions;
	const struct permissions *ground;   /* NULL: there is no broker; else see broker/ground.h */
	const struct shared_memory *memory; /* the broker's: see broker/shared_memory.h */
	struct moved *moved;                /* the broker's: see broker/moved.h */
	struct view view;                   /* where what the command sees is */
	struct listed_sockets listed;       /* pinned */
	struct seccomp_choice choice;
	bool own_network, own_processes;
	bool untaken;            /* its sockets cannot be had: see network/untaken.h */
	const struct tree *tree; /* what we started */
	bool silent;             /* nobody wants to know what is denied */
	uint64_t mark;           /* an argument of ptrace(): what follows is the command's doing */
	int sockets; /* asks the kernel which there are in the sandbox's network; -1: cannot */
	int gateway; /* connects to hosts outside; -1: there is none */
	struct denials *denials;
};

#endif
