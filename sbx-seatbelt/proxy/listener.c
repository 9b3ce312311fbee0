#include "proxy/listener.h"

#include "base/cleanup.h"
#include "hosts/internet_address.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#define TRIES   64 /* of a port that is free at both */
#define BACKLOG 128

static const struct host_address addresses[LISTENERS] = {
        {.bytes = {[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}}, {.bytes = {[15] = 1}}};

/* -1 with errno. */
static int listen_at(const struct host_address *address, unsigned port)
{
	struct sockaddr_storage at;
	socklen_t len = socket_address(address, port, &at);
	cleanup_close int fd = socket(at.ss_family, SOCK_STREAM, 0);

	if (fd < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0 ||
	    bind(fd, (struct sockaddr *)&at, len) < 0 || listen(fd, BACKLOG) < 0)
		return -1;
	return keep_fd(&fd);
}

static bool know_port(struct listener *l)
{
	struct sockaddr_storage at;
	socklen_t len = sizeof(at);
	struct host_address address;

	return getsockname(l->fds[0], (struct sockaddr *)&at, &len) == 0 &&
	       socket_address_read(&at, len, &address, &l->port);
}

int listener_open(struct listener *l, struct error *err)
{
	for (int i = 0; i < TRIES; i++) {
		l->fds[0] = listen_at(&addresses[0], 0);
		l->fds[1] = -1;
		if (l->fds[0] < 0 || !know_port(l))
			break;
		l->fds[1] = listen_at(&addresses[1], l->port);
		if (l->fds[1] >= 0 || errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL)
			return 0;
		listener_close(l);
		if (errno != EADDRINUSE)
			break;
	}
	error_system(err, "a port for the proxy");
	listener_close(l);
	return -1;
}

void listener_close(struct listener *l)
{
	int why = errno;

	for (int i = 0; i < LISTENERS; i++) {
		if (l->fds[i] >= 0)
			close(l->fds[i]);
		l->fds[i] = -1;
	}
	errno = why;
}

int listener_accept(int fd)
{
	cleanup_close int client = accept(fd, NULL, NULL);

	/* Where the listener's flags are inherited the client would not wait. */
	if (client < 0 || fcntl(client, F_SETFD, FD_CLOEXEC) < 0 || fcntl(client, F_SETFL, 0) < 0)
		return -1;
	return keep_fd(&client);
}
