/*
 * Is an address one of this machine's, at which its own servers are reached?
 *
 * Not only 127.0.0.1 is: a server that listens everywhere is at each address of the
 * machine, also where nobody else gets past its packet filter.
 */
#ifndef SBX_HOSTS_OWN_ADDRESS_H
#define SBX_HOSTS_OWN_ADDRESS_H

#include "hosts/host_rule.h"

#include <stddef.h>
#include <sys/socket.h>

#define PUT_ON_LOOPBACK_MAX 64

/*
 * What somebody put on the loopback interface beside its own addresses stands for
 * another machine: a service that moves between several.
 */
struct put_on_loopback {
	struct host_address addresses[PUT_ON_LOOPBACK_MAX];
	size_t count;
};

/* Looks them up; those that cannot be had are the machine's own. */
void put_on_loopback_read(struct put_on_loopback *put);

/* Whether the machine reaches itself by it; asks the kernel, and sends nothing. */
bool is_own_address(const struct sockaddr_storage *address, socklen_t len);

/* The same, of what nobody put there. */
bool is_of_this_machine(const struct put_on_loopback *put, const struct host_address *address);

#endif
