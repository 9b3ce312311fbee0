#include "network/loopback.h"

#include "base/cleanup.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The first interface of every network namespace. */
#define LO 1

struct request {
	struct nlmsghdr header;
	struct ifaddrmsg message;
	struct rtattr local;
	unsigned char bytes[16];
};

static struct request request(int family, const char *text, unsigned char bits)
{
	size_t size = family == AF_INET ? 4 : 16;
	struct request r = {
	        .header = {.nlmsg_len = (unsigned)(sizeof(r) - sizeof(r.bytes) + size),
	                   .nlmsg_type = RTM_NEWADDR,
	                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE},
	        .message = {.ifa_family = (unsigned char)family,
	                    .ifa_prefixlen = bits,
	                    .ifa_flags = IFA_F_PERMANENT | (family == AF_INET ? 0 : IFA_F_NODAD),
	                    .ifa_scope = RT_SCOPE_UNIVERSE,
	                    .ifa_index = LO},
	        .local = {.rta_len = (unsigned short)RTA_LENGTH(size), .rta_type = IFA_LOCAL},
	};

	inet_pton(family, text, r.bytes);
	return r;
}

void loopback_addresses(void)
{
	cleanup_close int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	const struct request wanted[] = {
	        request(AF_INET, LOOPBACK_FOUR, LOOPBACK_FOUR_BITS),
	        request(AF_INET6, LOOPBACK_SIX, LOOPBACK_SIX_BITS),
	};

	/* The kernel does it within the call; nobody waits for what it says about it. */
	for (size_t i = 0; fd >= 0 && i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (send(fd, &wanted[i], wanted[i].header.nlmsg_len, 0) < 0)
			errno = 0;
}
