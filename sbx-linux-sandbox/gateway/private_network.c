#include "gateway/private_network.h"

#include "base/cleanup.h"
#include "names/dns_message.h"
#include "gateway/pass_fd.h"
#include "network/socket_address.h"
#include "names/synthetic.h"
#include "network/loopback.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/nsfs.h>
#include <linux/rtnetlink.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- descriptors over a line ------------------------------------------------ */

/* fd -1: there is none, and why. */
static int send_fd(int line, int fd, int why)
{
	return pass_send(line, &why, sizeof(why), fd, 0);
}

/* *word: what was said with it. */
static int receive_fd(int line, int *word)
{
	int why = 0, fd;
	ssize_t n;

	do
		n = pass_receive(line, &why, sizeof(why), &fd, 0);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(why))
		errno = n < 0 ? errno : EPIPE;
	else if (fd < 0)
		errno = why ? why : EPROTO;
	else if (word)
		*word = why;
	return fd;
}

/* ---- in there ---------------------------------------------------------------- */

static int enter(pid_t inside)
{
	char path[64];
	cleanup_close int network = -1, user = -1;

	snprintf(path, sizeof(path), "/proc/%d/ns/net", (int)inside);
	network = open(path, O_RDONLY | O_CLOEXEC);
	user = network < 0 ? -1 : ioctl(network, NS_GET_USERNS);
	if (user < 0 || setns(user, CLONE_NEWUSER) < 0 || setns(network, CLONE_NEWNET) < 0)
		return -1;
	return 0;
}

static int resolver_socket(const char *address, int type)
{
	struct host_address host;
	struct sockaddr_storage at;
	const int one = 1;
	cleanup_close int fd = -1;
	socklen_t len;

	if (!host_address_parse(address, &host))
		return -1;
	len = socket_address(&host, DNS_PORT, &at);
	fd = socket(at.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) < 0 ||
	    bind(fd, (struct sockaddr *)&at, len) < 0 ||
	    (type == SOCK_STREAM && listen(fd, 64) < 0))
		return -1;
	return keep_fd(&fd);
}

/* The first must be there; the others are for programs with ways of their own. */
static const char *const resolver_addresses[] = {"127.0.0.1", "127.0.0.53", LOOPBACK_FOUR, "::1"};

static int hand_over_resolvers(int line)
{
	static const int types[] = {SOCK_DGRAM, SOCK_STREAM};

	for (size_t t = 0; t < 2; t++)
		for (size_t i = 0; i < INSIDE_RESOLVERS; i++) {
			cleanup_close int fd = resolver_socket(resolver_addresses[i], types[t]);

			if (send_fd(line, fd, errno) < 0)
				return -1;
		}
	return 0;
}

/* Until the gateway is gone. */
static void make_sockets(int line)
{
	int family;

	while (recv(line, &family, sizeof(family), 0) == (ssize_t)sizeof(family)) {
		cleanup_close int fd =
		        socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

		if (send_fd(line, fd, errno) < 0)
			break;
	}
}

/*
 * An address of lo makes its whole network local with IPv4; with IPv6 it takes a
 * route.  False: there is no IPv6 here.
 */
static bool add_route(void)
{
	struct {
		struct nlmsghdr header;
		struct rtmsg message;
		struct rtattr to;
		uint8_t network[16];
		struct rtattr by;
		int device;
	} route = {
	        .header = {.nlmsg_len = sizeof(route),
	                   .nlmsg_type = RTM_NEWROUTE,
	                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_ACK},
	        .message = {.rtm_family = AF_INET6,
	                    .rtm_dst_len = SYNTHETIC_SIX_BITS,
	                    .rtm_table = RT_TABLE_LOCAL,
	                    .rtm_protocol = RTPROT_BOOT,
	                    .rtm_scope = RT_SCOPE_HOST,
	                    .rtm_type = RTN_LOCAL},
	        .to = {.rta_len = RTA_LENGTH(16), .rta_type = RTA_DST},
	        .by = {.rta_len = RTA_LENGTH(sizeof(int)), .rta_type = RTA_OIF},
	        .device = 1, /* lo, in every network */
	};
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
	} said;
	cleanup_close int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	memcpy(route.network, synthetic_six, sizeof(route.network));
	return fd >= 0 && send(fd, &route, sizeof(route), 0) == (ssize_t)sizeof(route) &&
	       recv(fd, &said, sizeof(said), MSG_TRUNC) >= (ssize_t)sizeof(said) &&
	       said.header.nlmsg_type == NLMSG_ERROR &&
	       (said.error.error == 0 || said.error.error == -EEXIST);
}

_Noreturn static void be_maker(pid_t inside, pid_t parent, int line)
{
	bool six;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != parent)
		_exit(1);
	if (enter(inside) < 0) {
		send_fd(line, -1, errno);
		_exit(1);
	}
	six = add_route();
	/* The first word: how it went, with an fd to tell it from a failure. */
	if (send_fd(line, line, six) == 0 && hand_over_resolvers(line) == 0)
		make_sockets(line);
	_exit(0);
}

int make_inside(int maker, int family)
{
	int fd = -1;

	if (send(maker, &family, sizeof(family), MSG_NOSIGNAL) == (ssize_t)sizeof(family))
		fd = receive_fd(maker, NULL);
	/* Nobody could be reached any more, and nobody would say why: the run ends. */
	if (fd < 0 && (errno == EPIPE || errno == ECONNRESET))
		_exit(1);
	return fd;
}

static int receive_all(struct private_network *network, struct error *err)
{
	int six, first = receive_fd(network->maker, &six);

	if (first < 0)
		return error_system(err, "entering the network of the sandbox");
	close(first);
	network->six = six;
	for (size_t i = 0; i < INSIDE_RESOLVERS; i++)
		network->udp[i] = receive_fd(network->maker, NULL);
	for (size_t i = 0; i < INSIDE_RESOLVERS; i++)
		network->tcp[i] = receive_fd(network->maker, NULL);
	return network->udp[0] < 0 || network->tcp[0] < 0
	               ? error_system(err, "serving names in the sandbox")
	               : 0;
}

int private_network_enter(pid_t inside, struct private_network *network, struct error *err)
{
	pid_t parent = getpid(), child;
	int line[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) < 0)
		return error_system(err, "socketpair");
	child = fork();
	if (child < 0)
		return error_system(err, "fork");
	if (child == 0) {
		close(line[0]);
		be_maker(inside, parent, line[1]);
	}
	close(line[1]);
	network->maker = line[0];
	return receive_all(network, err);
}
