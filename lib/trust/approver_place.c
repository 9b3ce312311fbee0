#include "trust/approver_place.h"

#include "fs/path.h"
#include "fs/same_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static int read_socket(struct approver_place *place, struct error *err)
{
	if (!path_is_normal(place->text) ||
	    strlen(place->text) >= sizeof(((struct sockaddr_un *)0)->sun_path))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--approver: unix:%s: not a normalized absolute path of a socket "
		                 "(with at most %zu bytes)",
		                 place->text, sizeof(((struct sockaddr_un *)0)->sun_path) - 1);
	place->kind = APPROVER_SOCKET;
	return 0;
}

/* A stream with somebody at its other end. */
static bool is_connected(int fd)
{
	struct sockaddr_storage address;
	socklen_t size = sizeof(int), length = sizeof(address);
	int type = 0;

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM &&
	       getpeername(fd, (struct sockaddr *)&address, &length) == 0;
}

static int read_fd(struct approver_place *place, struct error *err)
{
	const char *digits = place->text + strlen("fd:");
	char *end;
	long fd;

	errno = 0;
	fd = strtol(digits, &end, 10);
	if (digits[0] < '0' || digits[0] > '9' || *end || errno || fd < 3 || fd > INT_MAX)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--approver: \"%s\": expected fd: and a number, 3 or above",
		                 place->text);
	if (!is_connected((int)fd) || fcntl((int)fd, F_SETFD, FD_CLOEXEC) < 0)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--approver: \"%s\": not an open, connected stream socket",
		                 place->text);
	place->kind = APPROVER_FD;
	place->fd = (int)fd;
	return 0;
}

int approver_place_read(const char *value, struct approver_place *place, struct error *err)
{
	*place = (struct approver_place){.kind = APPROVER_PROGRAM, .text = value, .fd = -1};
	if (!*value)
		return error_set(err, EXIT_USAGE, "usage", "--approver: empty");
	if (strncmp(value, "fd:", 3) == 0)
		return read_fd(place, err);
	if (strncmp(value, "unix:", 5) != 0)
		return 0;
	place->text += strlen("unix:");
	return read_socket(place, err);
}

bool approver_is_also(const struct approver_place *place, int fd)
{
	struct stat own, other;

	return place->kind == APPROVER_FD && fstat(place->fd, &own) == 0 &&
	       fstat(fd, &other) == 0 && same_file(&own, &other);
}
