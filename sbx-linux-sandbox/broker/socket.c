/*
 * A name for a unix socket.  The caller's own socket is bound where it can be
 * had; where it cannot, as in Docker, a new one of its kind takes its place.
 */
#include "base/cleanup.h"
#include "broker/allowed.h"
#include "linux/surroundings.h"
#include "network/connect_for.h"
#include "network/untaken.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The address, if it names a file: 1; 0: none of ours; -errno. */
static int copy_address(const struct asked *asked, char path[PATH_MAX])
{
	struct sockaddr_un address = {0};
	uint64_t len = argument(asked, 2) & 0xffffffffU;
	int got;

	if (len <= offsetof(struct sockaddr_un, sun_path) || len > sizeof(address))
		return 0;
	got = asked_bytes(asked, argument(asked, 1), &address, len);
	if (got < 0)
		return got;
	if (address.sun_family != AF_UNIX || !address.sun_path[0])
		return 0;
	len -= offsetof(struct sockaddr_un, sun_path);
	memcpy(path, address.sun_path, len);
	path[len] = '\0';
	return 1;
}

/* Relative to its directory: the path to it may be longer than an address can be. */
static int bind_in(struct broker *broker, int fd, const struct place *place)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t len = strlen(place->name);
	int got;

	/* A name of the full length has no end behind it. */
	if (len > sizeof(address.sun_path))
		return -EINVAL;
	memcpy(address.sun_path, place->name, len);
	if (fchdir(place->parent) < 0)
		return -errno;
	got = bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ? -errno : 0;
	if (fchdir(broker->home) < 0)
		abort();
	return got;
}

/*
 * One that nobody can connect: it listens already, before the command says so.
 */
static int bind_new(struct broker *broker, const struct asked *asked, const struct place *place)
{
	cleanup_close int fd = untaken_like(asked->request);
	int got = fd < 0 ? fd : bind_in(broker, fd, place);

	if (got == 0 && listen(fd, 0) < 0)
		got = -errno;
	return got < 0 ? got : untaken_replace(asked->listener, asked->request, fd);
}

struct reply serve_bind(struct broker *broker, const struct asked *asked, const struct form *form)
{
	cleanup_place struct place place = PLACE_NONE;
	cleanup_close int fd = -1;
	char path[PATH_MAX];
	int got = copy_address(asked, path);

	(void)form;
	if (got <= 0)
		return got < 0 ? reply_with(got) : reply_go_on();
	got = path[0] == '/' ? -1 : asked_file(asked, AT_FDCWD);
	if (!asked_still(asked))
		return reply_with(-ESRCH);
	got = path[0] != '/' && got < 0 ? got : place_find(asked, got, path, FOLLOW_NAME, &place);
	if (got < 0)
		return reply_with(got);
	if (place.exists)
		return reply_with(-EADDRINUSE);
	if (!is_allowed(broker, &place, CHANGE_NAME)) {
		struct reply reply = reply_denied_by_kernel();

		reply.denied_path = strdup(place.path);
		return reply;
	}
	/* The kernel would give the name to what only stands for a socket. */
	if (is_granted(broker, &place, CHANGE_NAME) && sockets_can_be_taken())
		return reply_go_on();
	got = umask_take(&broker->umasks, asked);
	if (got < 0)
		return reply_with(got);
	fd = socket_of(asked->listener, asked->request);
	if (fd < 0 && errno != EPERM && errno != ENOSYS)
		return reply_with(-errno);
	return reply_with(fd >= 0 ? bind_in(broker, fd, &place) : bind_new(broker, asked, &place));
}
