#include "relay/near_end.h"

#include "gateway/private_network.h"
#include "relay/relay.h"
#include "network/socket_address.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef IPV6_FREEBIND
#define IPV6_FREEBIND 78
#endif

int near_listen(int maker, const struct host_address *inside, unsigned port, bool anywhere)
{
	const int one = 1;
	bool four = host_address_is_four(inside);
	int why, fd = make_inside(maker, four ? AF_INET : AF_INET6);

	for (; fd >= 0; port = 0) {
		struct sockaddr_storage at;
		socklen_t len = socket_address(inside, port, &at);

		/* A route alone makes no address that can be bound with IPv6. */
		if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) == 0 &&
		    (four || setsockopt(fd, IPPROTO_IPV6, IPV6_FREEBIND, &one, sizeof(one)) == 0) &&
		    bind(fd, (struct sockaddr *)&at, len) == 0 && listen(fd, 8) == 0)
			return fd;
		if (port == 0 || errno != EADDRINUSE || !anywhere)
			break;
	}
	why = errno;
	if (fd >= 0)
		close(fd);
	errno = why;
	return -1;
}

int near_play_dead(int listener)
{
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	const struct sock_fprog filter = {.len = 1, .filter = &nothing};

	return setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter));
}

int near_wake_up(int listener)
{
	const int unused = 0;

	return setsockopt(listener, SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof(unused));
}

/* Whatever the command set: a filter of its own could make us wait. */
int near_connect_to(int client, const struct host_address *at, unsigned port)
{
	struct sockaddr_storage to;
	socklen_t len, size = sizeof(int);
	int flags = fcntl(client, F_GETFL), family = 0, error;

	if (flags < 0 || getsockopt(client, SOL_SOCKET, SO_DOMAIN, &family, &size) < 0)
		return ECONNABORTED;
	len = family == AF_INET6 ? socket_address_mapped(at, port, &to)
	                         : socket_address(at, port, &to);
	if (!(flags & O_NONBLOCK) && fcntl(client, F_SETFL, flags | O_NONBLOCK) < 0)
		return errno;
	error = connect(client, (struct sockaddr *)&to, len) == 0 || errno == EINPROGRESS ? 0
	                                                                                  : errno;
	if (!(flags & O_NONBLOCK) && fcntl(client, F_SETFL, flags) < 0)
		return errno;
	return error;
}

int near_connect(int client, int listener)
{
	struct sockaddr_storage at;
	socklen_t len = sizeof(at);
	struct host_address address;
	unsigned port;

	if (getsockname(listener, (struct sockaddr *)&at, &len) < 0)
		return errno;
	return socket_address_read(&at, len, &address, &port)
	               ? near_connect_to(client, &address, port)
	               : ECONNABORTED;
}

static bool is_client(int client, const struct sockaddr_storage *peer, socklen_t peer_len)
{
	struct sockaddr_storage own;
	socklen_t own_len = sizeof(own);
	struct host_address one, two;
	unsigned one_port, two_port;

	return getsockname(client, (struct sockaddr *)&own, &own_len) == 0 &&
	       socket_address_read(&own, own_len, &one, &one_port) &&
	       socket_address_read(peer, peer_len, &two, &two_port) && one_port == two_port &&
	       memcmp(&one, &two, sizeof(one)) == 0;
}

int near_accept(int listener, int client)
{
	for (;;) {
		struct sockaddr_storage peer;
		socklen_t len = sizeof(peer);
		int fd = accept4(listener, (struct sockaddr *)&peer, &len,
		                 SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0 || is_client(client, &peer, len))
			return fd;
		reset_socket(fd);
		close(fd);
	}
}
