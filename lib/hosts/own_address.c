#include "hosts/own_address.h"

#include "base/cleanup.h"
#include "hosts/internet_address.h"

#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#define DISCARD 9 /* any port would do */

static void add(struct put_on_loopback *put, const struct sockaddr *from)
{
	bool six = from->sa_family == AF_INET6;
	socklen_t len = six ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	struct sockaddr_storage at = {0};
	unsigned port;

	if (put->count == PUT_ON_LOOPBACK_MAX)
		return;
	memcpy(&at, from, len);
	if (socket_address_read(&at, len, &put->addresses[put->count], &port))
		put->count++;
}

void put_on_loopback_read(struct put_on_loopback *put)
{
	struct ifaddrs *all;

	put->count = 0;
	if (getifaddrs(&all) < 0)
		return;
	for (const struct ifaddrs *a = all; a; a = a->ifa_next)
		if (a->ifa_addr && (a->ifa_flags & IFF_LOOPBACK) &&
		    (a->ifa_addr->sa_family == AF_INET || a->ifa_addr->sa_family == AF_INET6))
			add(put, a->ifa_addr);
	freeifaddrs(all);
}

/* Whoever sends to an address of ours sends from the same. */
bool is_own_address(const struct sockaddr_storage *address, socklen_t len)
{
	cleanup_close int fd = socket(address->ss_family, SOCK_DGRAM, 0);
	struct sockaddr_storage source;
	socklen_t size = sizeof(source);
	struct host_address to, from;
	unsigned port;

	return fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
	       connect(fd, (const struct sockaddr *)address, len) == 0 &&
	       getsockname(fd, (struct sockaddr *)&source, &size) == 0 &&
	       socket_address_read(address, len, &to, &port) &&
	       socket_address_read(&source, size, &from, &port) &&
	       memcmp(&to, &from, sizeof(to)) == 0;
}

bool is_of_this_machine(const struct put_on_loopback *put, const struct host_address *address)
{
	struct sockaddr_storage to;
	socklen_t len;

	for (size_t i = 0; i < put->count; i++)
		if (memcmp(&put->addresses[i], address, sizeof(*address)) == 0)
			return false;
	len = socket_address(address, DISCARD, &to);
	return is_own_address(&to, len);
}
