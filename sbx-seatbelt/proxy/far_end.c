#include "proxy/far_end.h"

#include "base/cleanup.h"
#include "hosts/internet_address.h"
#include "hosts/own_address.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 30000 /* for one address */

/* connect() takes no address for this machine's. */
static bool is_this_machine(const struct host_address *address)
{
	static const struct host_address six = {.bytes = {[15] = 1}}, none = {{0}};

	if (host_address_is_four(address))
		return address->bytes[12] == 127 || address->bytes[12] == 0;
	return memcmp(address, &six, sizeof(six)) == 0 || memcmp(address, &none, sizeof(none)) == 0;
}

/* 0 or errno. */
static int wait_for(int fd)
{
	struct pollfd done = {.fd = fd, .events = POLLOUT};
	int error = 0;
	socklen_t len = sizeof(error);

	if (poll(&done, 1, PATIENCE_MS) <= 0)
		return ETIMEDOUT;
	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) < 0 ? errno : error;
}

static enum far_verdict try_address(struct far_end *far, unsigned port)
{
	struct sockaddr_storage to;
	socklen_t len = socket_address(&far->address, port, &to);
	cleanup_close int fd = socket(to.ss_family, SOCK_STREAM, 0);

	far->error = fd < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0 ? errno : 0;
	if (!far->error && connect(fd, (struct sockaddr *)&to, len) < 0)
		far->error = errno == EINPROGRESS ? wait_for(fd) : errno;
	if (far->error)
		return FAR_FAILED;
	far->fd = keep_fd(&fd);
	return FAR_CONNECTED;
}

/* This machine itself is reached where the list names it, and by no other name. */
static enum far_verdict judge(const struct hosts *hosts, const struct wanted *wanted,
                              const struct host_address *address)
{
	struct put_on_loopback put;

	if (is_this_machine(address) &&
	    (!wanted->name[0] || strcmp(wanted->name, "localhost") == 0))
		return hosts_name_localhost(hosts, wanted->port) ? FAR_CONNECTED : FAR_NOT_LISTED;
	put_on_loopback_read(&put);
	switch (hosts_judge(hosts, wanted->name[0] ? wanted->name : NULL, address,
	                    is_of_this_machine(&put, address), wanted->port)) {
	case HOST_ALLOWED:
		return FAR_CONNECTED;
	case HOST_INTERNAL:
		return FAR_INTERNAL;
	default:
		return FAR_NOT_LISTED;
	}
}

static enum far_verdict try_all(const struct hosts *hosts, const struct wanted *wanted,
                                const struct addrinfo *list, struct far_end *far)
{
	enum far_verdict verdict = FAR_NOT_FOUND;

	for (const struct addrinfo *a = list; a && verdict != FAR_CONNECTED; a = a->ai_next) {
		struct sockaddr_storage at = {0};
		enum far_verdict judged;
		unsigned port;

		if (a->ai_addrlen > sizeof(at))
			continue;
		memcpy(&at, a->ai_addr, a->ai_addrlen);
		if (!socket_address_read(&at, a->ai_addrlen, &far->address, &port))
			continue;
		judged = judge(hosts, wanted, &far->address);
		if (judged == FAR_CONNECTED)
			verdict = try_address(far, wanted->port);
		else if (verdict == FAR_NOT_FOUND)
			verdict = judged;
	}
	return verdict;
}

static enum far_verdict by_name(const struct hosts *hosts, const struct wanted *wanted,
                                struct far_end *far)
{
	const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	struct addrinfo *list;
	enum far_verdict verdict;

	if (hosts_judge_name(hosts, wanted->name, wanted->port) != HOST_ALLOWED)
		return FAR_NOT_LISTED;
	if (getaddrinfo(wanted->name, NULL, &hints, &list) != 0)
		return FAR_NOT_FOUND;
	verdict = try_all(hosts, wanted, list, far);
	freeaddrinfo(list);
	return verdict;
}

enum far_verdict far_end_open(const struct hosts *hosts, const struct wanted *wanted,
                              struct far_end *far)
{
	enum far_verdict verdict;

	*far = (struct far_end){.fd = -1, .address = wanted->address};
	if (wanted->name[0])
		return by_name(hosts, wanted, far);
	verdict = judge(hosts, wanted, &far->address);
	return verdict == FAR_CONNECTED ? try_address(far, wanted->port) : verdict;
}
