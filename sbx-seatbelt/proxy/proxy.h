/*
 * How does a command reach the hosts of a list where no network of its own can be
 * made?
 *
 * Through a proxy at a port of this machine that is the only one it can connect
 * to: HTTP and SOCKS 5, for whoever knows the token.  It is a process of its own
 * that ends with whoever started it.
 */
#ifndef SBX_SEATBELT_PROXY_PROXY_H
#define SBX_SEATBELT_PROXY_PROXY_H

#include "base/error.h"
#include "base/token.h"
#include "hosts/hosts.h"

#include <sys/types.h>

struct proxy {
	pid_t pid;
	int line; /* its end is the proxy's */
	unsigned port;
	char token[TOKEN_SIZE];
};

/* `report`: where it tells what was reached and refused, as JSON lines; -1: on stderr. */
int proxy_start(const struct hosts *hosts, bool check_names, int report, struct proxy *proxy,
                struct error *err);

/* The command has ended: it tells, and is gone. */
void proxy_conclude(struct proxy *proxy);

#endif
