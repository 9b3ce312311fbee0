/*
 * Who listens on a socket file, or at a port?
 *
 * The kernel is asked, and nobody is connected to: what must not be reached
 * must not notice either.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_LISTENER_H
#define SBX_LINUX_SANDBOX_NETWORK_LISTENER_H

#include "process/descendants.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * The number of the listening socket that is bound to the file, among those of
 * the network namespace in which the netlink socket was made; 0: none.
 */
unsigned long listener_find(int netlink, const struct stat *file);

/* The same of any socket in these states. */
#define SOCKETS_CONNECTED (1U << 1)
#define SOCKETS_ALL       (~0U)
unsigned long socket_at_file(int netlink, const struct stat *file, unsigned states);

/* All that listen at a TCP port, whatever their address; -1: it cannot be known, or they are more.
 */
#define LISTENERS_AT_PORT 16
int listeners_at_port(int netlink, unsigned port, unsigned long sockets[LISTENERS_AT_PORT]);

/* Whether a process in the same process namespace as pid, which asks, has it open. */
bool listener_is_held_beside(pid_t pid, unsigned long socket);

/* Whether a process that we started, or that one of those did, has it open. */
bool listener_is_held_below(const struct tree *tree, pid_t pid, unsigned long socket);

#endif
