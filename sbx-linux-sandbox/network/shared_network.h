/*
 * Which loopback do several runs have in common?
 *
 * One with a name, or a session's: runs of the same user, in the same workspace,
 * that may write and read the same.  Whoever reaches a server can do what the
 * server may do, so that a run with other permissions has another network.
 *
 *	PLACE/networks		PLACE is where a private /tmp is (tmp/private_tmp.h)
 *	    lock		of who joins or leaves, whichever network it is
 *	    DIGEST		of all that must agree
 *
 * In the file is a line for each run: the process that waits for bubblewrap,
 * outside, and when it was started.  It is in the network, and in the user
 * namespace that owns it, as long as the run lasts, so nothing else keeps them.
 * A process inside cannot see the place, and has no right to enter anything.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_SHARED_NETWORK_H
#define SBX_LINUX_SANDBOX_NETWORK_SHARED_NETWORK_H

#include "base/error.h"
#include "request.h"

#include <sys/types.h>

struct shared_network {
	int directory; /* -1: the network is the run's own */
	int lock;      /* -1: nobody waits for us */
	char *name;
	int user, net; /* of those who are there; -1: they are to be made */
	pid_t member;  /* of this run; 0: none yet */
};

#define SHARED_NETWORK_NONE                                                                        \
	{                                                                                          \
		.directory = -1, .lock = -1, .user = -1, .net = -1                                 \
	}

/* Nobody else joins until shared_network_joined() or shared_network_close(). */
int shared_network_open(const struct request *request, struct shared_network *network,
                        struct error *err);

/* With the process that is in it now. */
int shared_network_joined(struct shared_network *network, pid_t member, struct error *err);

/* In the process that is in it: no descriptor is left. */
void shared_network_forget(struct shared_network *network);

/* When no process of the run is left; also where it never began. */
void shared_network_close(struct shared_network *network);

#endif
