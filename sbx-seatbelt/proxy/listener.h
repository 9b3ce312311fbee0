/*
 * Where do clients find the proxy?
 *
 * At one port of both addresses of this machine itself: the profile opens
 * "localhost", which is both, and nobody else may have the other.
 */
#ifndef SBX_SEATBELT_PROXY_LISTENER_H
#define SBX_SEATBELT_PROXY_LISTENER_H

#include "base/error.h"

#define LISTENERS 2

struct listener {
	int fds[LISTENERS]; /* 127.0.0.1; ::1, or -1 where there is no IPv6 */
	unsigned port;
};

int listener_open(struct listener *listener, struct error *err);
void listener_close(struct listener *listener);

/* A client, whose socket blocks; -1: it has gone. */
int listener_accept(int fd);

#endif
