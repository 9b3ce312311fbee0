/*
 * What does the outer stage keep from its first step to its last?
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_OUTER_STATE_H
#define SBX_LINUX_SANDBOX_OUTER_OUTER_STATE_H

#include "broker/moved.h"
#include "broker/shared_memory.h"
#include "caches/layers.h"
#include "kept/held.h"
#include "limits/limiter.h"
#include "kept/stubs.h"
#include "mounts/mounts.h"
#include "network/shared_network.h"
#include "observer/what_is_watched.h"
#include "outer/bubblewrap.h"
#include "outer/supervise.h"
#include "preview/preview_roots.h"
#include "process/descendants.h"
#include "repositories/left_in_git.h"
#include "repositories/made_repository.h"
#include "repositories/planted_head.h"
#include "request.h"
#include "tmp/private_tmp.h"

#include <signal.h>
#include <sys/types.h>

struct outer {
	struct request request;
	struct plain_roots plain;
	struct git_parts git;
	struct bare_roots bare;
	char **missing; /* see appeared_at_home.h */
	struct private_tmp tmp;
	struct shared_memory memory;
	struct moved moved;
	struct shared_network network;
	struct layers layers; /* of the caches */
	struct preview preview;
	struct stubs stubs;
	struct mounts mounts;
	struct held held; /* the names that the mounts protect */
	struct bwrap bwrap;
	struct supervisor supervisor;
	struct limiter limiter;
	struct observation observation;
	struct permissions ground; /* with the broker: what Landlock gives */
	const char *unobserved;    /* why the observer is not asked about files */
	char *self;                /* this program, as the inner stage sees it */
	char **words;              /* main's own arguments */
	sigset_t mask;
	unsigned long nofile;
	int inner_control, plan, complaints[2], real_stderr, empty;
	pid_t child;
	struct tree tree;
};

#endif
