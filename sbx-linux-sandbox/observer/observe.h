/*
 * The observer: a thread of the outer stage that the kernel asks about the
 * command's calls.
 *
 * It explains and does not enforce: calls on files go on, and the mounts and
 * Landlock decide, unless it is also the broker (broker/broker.h).  What the filter refuses it
 * refuses too, by the same table and by default; and it connects sockets itself (connect_for.h says
 * why).  When it is gone, every such call fails.
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_OBSERVE_H
#define SBX_LINUX_SANDBOX_OBSERVER_OBSERVE_H

#include "base/error.h"
#include "filter/filter_rule.h"
#include "observer/denial_list.h"
#include "outer/listed_sockets.h"
#include "policy/permissions.h"
#include "tmp/seen_elsewhere.h"

struct observation {
	const struct permissions *permissions;
	const struct permissions *ground; /* NULL: there is no broker; else see broker/ground.h */
	struct view view;                 /* where what the command sees is */
	struct listed_sockets listed;     /* pinned */
	struct seccomp_choice choice;
	bool own_network, own_processes;
	bool silent;   /* nobody wants to know what is denied */
	uint64_t mark; /* an argument of ptrace(): what follows is the command's doing */
	int sockets;   /* asks the kernel which there are in the sandbox's network; -1: cannot */
	struct denials *denials;
};

/* Takes the listener; runs until the program ends. */
int observe_begin(const struct observation *observation, int listener, struct error *err);

#endif
