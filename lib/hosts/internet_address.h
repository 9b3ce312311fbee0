/*
 * What is the address of a host to the kernel?
 */
#ifndef SBX_HOSTS_INTERNET_ADDRESS_H
#define SBX_HOSTS_INTERNET_ADDRESS_H

#include "hosts/host_rule.h"

#include <sys/socket.h>

/* Its length. */
socklen_t socket_address(const struct host_address *address, unsigned port,
                         struct sockaddr_storage *out);

/* The same for a socket of IPv6 that takes both families. */
socklen_t socket_address_mapped(const struct host_address *address, unsigned port,
                                struct sockaddr_storage *out);

/* False: not of the internet, or too short. */
bool socket_address_read(const struct sockaddr_storage *from, socklen_t len,
                         struct host_address *address, unsigned *port);

#endif
