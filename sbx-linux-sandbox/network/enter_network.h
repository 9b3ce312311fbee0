/*
 * How does a process get into a network that runs share?
 *
 * The network belongs to a user namespace between ours and that of the sandbox:
 * only from there can it be entered, and nobody in the sandbox has a right to it.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_ENTER_NETWORK_H
#define SBX_LINUX_SANDBOX_NETWORK_ENTER_NETWORK_H

#include "network/shared_network.h"

/* The calling process, which is to become bubblewrap; makes both where there are none. -1. */
int enter_network(const struct shared_network *network);

#endif
