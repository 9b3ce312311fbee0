#include "outer/inherited.h"

#include "policy/words.h"
#include "process/close_on_exec.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

static bool option_of(int fd, int option, int *value)
{
	socklen_t size = sizeof(*value);

	return getsockopt(fd, SOL_SOCKET, option, value, &size) == 0;
}

/* Bound to one peer, or to whoever calls: neither can be chosen by the command. */
static bool is_settled(int fd)
{
	struct sockaddr_storage peer;
	socklen_t size = sizeof(peer);
	int listens;

	return getpeername(fd, (struct sockaddr *)&peer, &size) == 0 ||
	       (option_of(fd, SO_ACCEPTCONN, &listens) && listens);
}

/* Why a socket is a way out; NULL when it is not. */
static const char *why_open(int fd, enum network network)
{
	int family, type;
	bool internet;

	if (!option_of(fd, SO_DOMAIN, &family) || !option_of(fd, SO_TYPE, &type))
		return "a socket of an unknown kind";
	internet = family == AF_INET || family == AF_INET6;
	if (!internet && family != AF_UNIX)
		return "a socket of a kind that no sandbox holds";
	if (internet && network == NETWORK_ON && (type == SOCK_STREAM || type == SOCK_DGRAM))
		return NULL;
	if (type != SOCK_STREAM && type != SOCK_SEQPACKET)
		return "a datagram socket, which sends to anybody";
	if (!is_settled(fd))
		return "a socket that is not connected";
	/* Where connect() is allowed, a connected one can be turned. */
	if (internet && (network == NETWORK_LOOPBACK || network == NETWORK_HOSTS))
		return "a socket of the caller's network";
	return NULL;
}

static int check(int fd, const char *name, const struct request *request, struct error *err)
{
	const char *why = NULL;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_system(err, "%s", name);
	if (S_ISSOCK(st.st_mode))
		why = why_open(fd, request->permissions.network);
	else if (S_ISDIR(st.st_mode) && fd <= 2)
		why = "a directory, which opens what lies below it";
	return why ? error_set(err, EXIT_INPUT, "bad-descriptor",
	                       "%s is %s: give the command something else, such as /dev/null", name,
	                       why)
	           : 0;
}

static bool is_internet(int fd)
{
	int family;

	return option_of(fd, SO_DOMAIN, &family) && (family == AF_INET || family == AF_INET6);
}

bool inherited_internet(const struct request *request)
{
	for (int fd = 0; fd <= 2; fd++)
		if (is_internet(fd))
			return true;
	for (size_t i = 0; i < request->keep_count; i++)
		if (is_internet(request->keep_fds[i]))
			return true;
	return false;
}

int inherited_check(const struct request *request, struct error *err)
{
	static const char *const streams[] = {"standard input", "standard output",
	                                      "standard error"};

	for (int fd = 0; fd <= 2; fd++)
		if (check(fd, streams[fd], request, err) < 0)
			return -1;
	for (size_t i = 0; i < request->keep_count; i++) {
		char name[32];

		snprintf(name, sizeof(name), "fd %d", request->keep_fds[i]);
		if (check(request->keep_fds[i], name, request, err) < 0)
			return -1;
	}
	return 0;
}

/* The lowest of them that is not below `from`; UINT_MAX: none. */
static unsigned next_kept(const int *fds, size_t count, unsigned from)
{
	unsigned next = UINT_MAX;

	for (size_t i = 0; i < count; i++)
		if (fds[i] >= 0 && (unsigned)fds[i] >= from && (unsigned)fds[i] < next)
			next = (unsigned)fds[i];
	return next;
}

/* Everything above 2 but these. */
static int for_others(const int *fds, size_t count,
                      int (*act)(unsigned first, unsigned last, struct error *err),
                      struct error *err)
{
	for (unsigned from = 3;;) {
		unsigned next = next_kept(fds, count, from);

		if (next > from && act(from, next == UINT_MAX ? ~0U : next - 1, err) < 0)
			return -1;
		if (next == UINT_MAX)
			return 0;
		from = next + 1;
	}
}

int inherited_only(const int *keep_fds, size_t count, struct error *err)
{
	if (for_others(keep_fds, count, close_on_exec, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (fcntl(keep_fds[i], F_SETFD, 0) < 0)
			return error_system(err, "keeping an inherited file");
	return 0;
}

int inherited_close_others(const int *fds, size_t count, struct error *err)
{
	return for_others(fds, count, close_at_once, err);
}
