/*
 * A name for a unix socket.  The caller's own socket is bound where it can be
 * had; where it cannot, as in Docker, a new one of its kind takes its place.
 */
#include "base/cleanup.h"
#include "broker/allowed.h"
#include "broker/walk.h"
#include "fs/fd_path.h"
#include "network/connect_for.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

/* The type of a unix socket by its number, as the kernel lists them; 0. */
static int type_of(const struct asked *asked, unsigned long number)
{
	char name[32], line[512];
	int type = 0;
	FILE *list;

	snprintf(name, sizeof(name), "/proc/%d/net/unix", (int)asked_by(asked));
	list = fopen(name, "re");
	while (!type && list && fgets(line, sizeof(line), list)) {
		unsigned long its;
		unsigned kind;

		if (sscanf(line, "%*s %*s %*s %*s %x %*s %lu", &kind, &its) == 2 && its == number)
			type = (int)kind;
	}
	if (list)
		fclose(list);
	return type;
}

/* O_NONBLOCK and O_CLOEXEC of the caller's descriptor. */
static int flags_of_file(const struct asked *asked, int fd)
{
	char name[48], line[128];
	long flags = 0;
	FILE *info;

	snprintf(name, sizeof(name), "/proc/%d/fdinfo/%d", (int)asked_by(asked), fd);
	info = fopen(name, "re");
	while (info && fgets(line, sizeof(line), info))
		if (strncmp(line, "flags:", 6) == 0)
			flags = strtol(line + 6, NULL, 8);
	if (info)
		fclose(info);
	return (int)flags;
}

/* One like the caller's; -errno. */
static int like_socket(const struct asked *asked, int flags)
{
	cleanup_close int pinned = asked_file(asked, (int)argument(asked, 0));
	char name[PATH_MAX];
	unsigned long number;
	int type, fd;

	if (pinned < 0)
		return pinned;
	if (fd_name(pinned, name) < 0 || sscanf(name, "socket:[%lu]", &number) != 1)
		return -ENOTSOCK;
	type = type_of(asked, number);
	if (type != SOCK_STREAM && type != SOCK_SEQPACKET)
		return -EPERM;
	fd = socket(AF_UNIX, type | SOCK_CLOEXEC | (flags & O_NONBLOCK ? SOCK_NONBLOCK : 0), 0);
	return fd < 0 ? -errno : fd;
}

/* Relative to its directory: the path to it may be longer than an address can be. */
static int bind_in(struct broker *broker, int fd, const struct place *place)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int got;

	if (strlen(place->name) >= sizeof(address.sun_path))
		return -EINVAL;
	strcpy(address.sun_path, place->name);
	if (fchdir(place->parent) < 0)
		return -errno;
	got = bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ? -errno : 0;
	if (fchdir(broker->home) < 0)
		abort();
	return got;
}

static int bind_new(struct broker *broker, const struct asked *asked, const struct place *place)
{
	int flags = flags_of_file(asked, (int)argument(asked, 0));
	cleanup_close int fd = like_socket(asked, flags);
	struct seccomp_notif_addfd file = {.id = asked->request->id,
	                                   .flags = SECCOMP_ADDFD_FLAG_SETFD,
	                                   .srcfd = (unsigned)fd,
	                                   .newfd = (unsigned)argument(asked, 0),
	                                   .newfd_flags = (unsigned)(flags & O_CLOEXEC)};
	int got = fd < 0 ? fd : bind_in(broker, fd, place);

	if (got == 0 && ioctl(asked->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &file) < 0)
		got = -errno;
	return got;
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
	if (is_granted(broker, &place, CHANGE_NAME))
		return reply_go_on();
	got = umask_take(&broker->umasks, asked);
	if (got < 0)
		return reply_with(got);
	fd = socket_of(asked->listener, asked->request);
	if (fd < 0 && errno != EPERM && errno != ENOSYS)
		return reply_with(-errno);
	return reply_with(fd >= 0 ? bind_in(broker, fd, &place) : bind_new(broker, asked, &place));
}
