#include "network/untaken.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SECCOMP_ADDFD_FLAG_SEND
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif

/* The number of the socket; 0: not one. -errno. */
static long number_of(const struct seccomp_notif *request)
{
	char name[48], link[64];
	long number;
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)request->pid,
	         (int)request->data.args[0]);
	n = readlink(name, link, sizeof(link) - 1);
	if (n < 0)
		return errno == ENOENT ? -EBADF : -EPERM;
	link[n] = '\0';
	return sscanf(link, "socket:[%ld]", &number) == 1 ? number : -ENOTSOCK;
}

/* The kernel lists every unix socket of the namespace, and those alone. */
static int listed_type(const struct seccomp_notif *request, long number)
{
	char name[32], line[512];
	int type = 0;
	FILE *list;

	snprintf(name, sizeof(name), "/proc/%d/net/unix", (int)request->pid);
	list = fopen(name, "re");
	if (!list)
		return -EPERM;
	while (!type && fgets(line, sizeof(line), list)) {
		long its;
		unsigned kind;

		if (sscanf(line, "%*s %*s %*s %*s %x %*s %ld", &kind, &its) == 2 && its == number)
			type = (int)kind;
	}
	fclose(list);
	return type;
}

int untaken_type(const struct seccomp_notif *request)
{
	long number = number_of(request);

	return number < 0 ? (int)number : listed_type(request, number);
}

/* O_NONBLOCK and O_CLOEXEC of the caller's descriptor. */
static int flags_of(const struct seccomp_notif *request)
{
	char name[48], line[128];
	long flags = 0;
	FILE *info;

	snprintf(name, sizeof(name), "/proc/%d/fdinfo/%d", (int)request->pid,
	         (int)request->data.args[0]);
	info = fopen(name, "re");
	while (info && fgets(line, sizeof(line), info))
		if (strncmp(line, "flags:", 6) == 0)
			flags = strtol(line + 6, NULL, 8);
	if (info)
		fclose(info);
	return (int)flags;
}

int untaken_like(const struct seccomp_notif *request)
{
	int type = untaken_type(request), fd;

	if (type < 0)
		return type;
	if (type != SOCK_STREAM && type != SOCK_SEQPACKET)
		return -EPERM;
	fd = socket(AF_UNIX,
	            type | SOCK_CLOEXEC | (flags_of(request) & O_NONBLOCK ? SOCK_NONBLOCK : 0), 0);
	return fd < 0 ? -errno : fd;
}

int untaken_replace(int listener, const struct seccomp_notif *request, int fd)
{
	struct seccomp_notif_addfd file = {.id = request->id,
	                                   .flags = SECCOMP_ADDFD_FLAG_SETFD,
	                                   .srcfd = (unsigned)fd,
	                                   .newfd = (unsigned)request->data.args[0],
	                                   .newfd_flags =
	                                           (unsigned)(flags_of(request) & O_CLOEXEC)};

	return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &file) < 0 ? -errno : 0;
}

int untaken_begin(int listener, const struct seccomp_notif *request)
{
	int type = (int)request->data.args[1], ends[2];
	struct seccomp_notif_addfd file = {.id = request->id,
	                                   .flags = SECCOMP_ADDFD_FLAG_SEND,
	                                   .newfd_flags =
	                                           (unsigned)(type & SOCK_CLOEXEC ? O_CLOEXEC : 0)};
	int error = 0;

	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, (int)request->data.args[2], ends) < 0)
		return errno;
	/* Nobody has the other half: nothing is heard through it. */
	close(ends[1]);
	file.srcfd = (unsigned)ends[0];
	/* Whoever asked may be gone. */
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &file) < 0 && errno != ENOENT)
		error = errno;
	close(ends[0]);
	return error;
}
