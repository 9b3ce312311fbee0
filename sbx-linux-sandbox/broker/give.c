#include "broker/give.h"

#include "fs/fd_path.h"
#include "network/interruption.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#ifndef SECCOMP_ADDFD_FLAG_SEND
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif

/* How many may wait at a time. */
#define WAITING_MAX 256

/* Between two looks at a pipe that nobody reads yet, in ns. */
#define SHORT_LOOK 200000L
#define LONG_LOOK  10000000L

struct reply give(const struct asked *asked, int fd, int flags)
{
	struct seccomp_notif_addfd file = {.id = asked->request->id,
	                                   .flags = SECCOMP_ADDFD_FLAG_SEND,
	                                   .srcfd = (unsigned)fd,
	                                   .newfd_flags = (unsigned)(flags & O_CLOEXEC)};

	if (ioctl(asked->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &file) >= 0 || errno == ENOENT)
		return (struct reply){.how = LATER};
	return reply_with(-errno);
}

struct waiting {
	struct seccomp_notif request;
	struct asked asked;
	int pinned, flags;
};

static atomic_int waiting_now;

/* An fd, -errno, or -ENXIO for "not yet". */
static int try_open(const struct waiting *w)
{
	bool reads = (w->flags & O_ACCMODE) == O_RDONLY;
	char path[FD_PATH_MAX];
	int fd = open(fd_path(w->pinned, path), (w->flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW)) |
	                                                O_CLOEXEC | O_NOCTTY |
	                                                (reads ? 0 : O_NONBLOCK));

	if (fd < 0)
		return errno == EWOULDBLOCK ? -ENXIO : -errno;
	if (fcntl(fd, F_SETFL, w->flags & (O_APPEND | O_DIRECT | O_NOATIME | O_ASYNC)) < 0) {
		close(fd);
		return -EIO;
	}
	return fd;
}

static void answer_later(const struct waiting *w, int error)
{
	struct seccomp_notif_resp response = {.id = w->request.id, .error = -error};

	while (ioctl(w->asked.listener, SECCOMP_IOCTL_NOTIF_SEND, &response) < 0 && errno == EINTR)
		;
}

static void *wait_and_give(void *argument)
{
	struct waiting *w = argument;
	struct timespec pause = {.tv_nsec = SHORT_LOOK};
	struct reply reply = {.how = LATER};
	int fd;

	while ((fd = try_open(w)) == -ENXIO && asked_still(&w->asked)) {
		if (is_interrupted(asked_by(&w->asked))) {
			fd = -CALL_RESTARTS;
			break;
		}
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < LONG_LOOK)
			pause.tv_nsec *= 2;
	}
	if (fd >= 0) {
		reply = give(&w->asked, fd, w->flags);
		close(fd);
	}
	if (fd < 0 || reply.how == ANSWERED)
		answer_later(w, fd < 0 ? -fd : reply.error);
	close(w->pinned);
	free(w);
	atomic_fetch_sub(&waiting_now, 1);
	return NULL;
}

static int start(struct waiting *w)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int failed = pthread_attr_init(&attributes);

	if (failed)
		return failed;
	failed = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (!failed)
		failed = pthread_create(&thread, &attributes, wait_and_give, w);
	pthread_attr_destroy(&attributes);
	return failed;
}

struct reply give_later(const struct asked *asked, int pinned, int flags)
{
	struct waiting *w = pinned < 0 ? NULL : malloc(sizeof(*w));

	if (pinned < 0)
		return reply_with(pinned);
	if (atomic_fetch_add(&waiting_now, 1) < WAITING_MAX && w) {
		*w = (struct waiting){
		        .request = *asked->request,
		        .asked = {.request = &w->request, .listener = asked->listener},
		        .pinned = pinned,
		        .flags = flags};
		if (start(w) == 0)
			return (struct reply){.how = LATER};
	}
	atomic_fetch_sub(&waiting_now, 1);
	free(w);
	close(pinned);
	return reply_with(-ENOMEM);
}
