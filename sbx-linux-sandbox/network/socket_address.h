/*
 * What does an address of the kernel mean?
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_SOCKET_ADDRESS_H
#define SBX_LINUX_SANDBOX_NETWORK_SOCKET_ADDRESS_H

#include "hosts/internet_address.h"

#include <sys/socket.h>

/* "127.0.0.1:80", "[::1]:80"; false when it is none of the internet. */
bool address_text(const struct sockaddr_storage *address, char *text, size_t size);

/* To this machine itself. */
bool address_is_loopback(const struct sockaddr_storage *address);
unsigned address_port(const struct sockaddr_storage *address);

/* To it by any of its addresses, as the sockets of this process's network go. */
bool is_this_machine(const struct sockaddr_storage *address, socklen_t len);

#endif
