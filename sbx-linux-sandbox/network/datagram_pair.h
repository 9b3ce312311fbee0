/*
 * How does a command get a pair of datagram sockets?
 *
 * A unix datagram socket can name a receiver with every message, in a structure
 * that no filter sees, and so reach any socket of the host.  What it is given
 * instead keeps messages apart as well, and ignores every address: a pair of
 * the type SOCK_SEQPACKET.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_DATAGRAM_PAIR_H
#define SBX_LINUX_SANDBOX_NETWORK_DATAGRAM_PAIR_H

#include <linux/seccomp.h>
#include <stdbool.h>

/* The call is socketpair(AF_UNIX, SOCK_DGRAM). */
bool asks_for_pair(const struct seccomp_notif *request);

/* 0, or the errno of the call. */
int pair_for(int listener, const struct seccomp_notif *request);

#endif
