#include "network/mailboxes.h"

#include "base/cleanup.h"
#include "network/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_ADDFD_FLAG_SEND
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif

#define TYPE_MASK 0xf

/* Each takes a descriptor of ours until the command has closed it. */
#define MOST 256

static struct {
	pthread_mutex_t lock;
	struct mailbox {
		ino_t given, kept; /* the numbers of both halves */
		int writes;        /* the one that is kept */
	} all[MOST];
	int count;
} boxes = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool asks_for_mailbox(const struct seccomp_notif *request)
{
	int type = (int)request->data.args[1] & TYPE_MASK;
	int protocol = (int)request->data.args[2];

	/* To unix sockets SOCK_RAW means the same. */
	return request->data.nr == SYS_socket && (int)request->data.args[0] == AF_UNIX &&
	       (type == SOCK_DGRAM || type == SOCK_RAW) && (protocol == 0 || protocol == PF_UNIX);
}

/* Nobody has the other half any more. */
static bool is_closed(const struct mailbox *box)
{
	struct pollfd other = {.fd = box->writes};

	return poll(&other, 1, 0) == 1 && (other.revents & POLLHUP);
}

static void forget_closed(void)
{
	for (int i = boxes.count; i-- > 0;)
		if (is_closed(&boxes.all[i])) {
			close(boxes.all[i].writes);
			boxes.all[i] = boxes.all[--boxes.count];
		}
}

/* Takes the half that writes; before the other is given, so that it is known by then. */
static int keep(int given, int *writes)
{
	struct stat its, ours;
	int error = 0;

	if (fstat(given, &its) < 0 || fstat(*writes, &ours) < 0)
		return errno;
	pthread_mutex_lock(&boxes.lock);
	forget_closed();
	if (boxes.count == MOST)
		error = ENFILE;
	else
		boxes.all[boxes.count++] = (struct mailbox){
		        .given = its.st_ino, .kept = ours.st_ino, .writes = keep_fd(writes)};
	pthread_mutex_unlock(&boxes.lock);
	return error;
}

int mailbox_give(int listener, const struct seccomp_notif *request)
{
	int flags = (int)request->data.args[1] & ~TYPE_MASK, ends[2], error;
	struct seccomp_notif_addfd file = {.id = request->id, .flags = SECCOMP_ADDFD_FLAG_SEND};

	if (flags & ~(SOCK_CLOEXEC | SOCK_NONBLOCK))
		return EINVAL;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return errno;
	cleanup_close int given = ends[0];
	cleanup_close int writes = ends[1];

	/* Not the other half: whoever is connected has that one, and may want to wait. */
	if ((flags & SOCK_NONBLOCK) && fcntl(given, F_SETFL, O_RDWR | O_NONBLOCK) < 0)
		return errno;
	error = keep(given, &writes);
	if (error)
		return error;
	file.srcfd = (uint32_t)given;
	file.newfd_flags = flags & SOCK_CLOEXEC ? O_CLOEXEC : 0;
	/* Whoever asked may be gone. */
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &file) < 0 && errno != ENOENT ? errno : 0;
}

bool mailbox_any(void)
{
	bool any;

	pthread_mutex_lock(&boxes.lock);
	any = boxes.count > 0;
	pthread_mutex_unlock(&boxes.lock);
	return any;
}

bool is_mailbox(int fd)
{
	struct stat st;
	bool found = false;

	if (fstat(fd, &st) < 0 || !S_ISSOCK(st.st_mode))
		return false;
	pthread_mutex_lock(&boxes.lock);
	for (int i = 0; !found && i < boxes.count; i++)
		found = boxes.all[i].given == st.st_ino || boxes.all[i].kept == st.st_ino;
	pthread_mutex_unlock(&boxes.lock);
	return found;
}

int mailbox_at(const struct stat *file)
{
	/* They are of our own network namespace, wherever they are used. */
	cleanup_close int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	ino_t bound = netlink < 0 ? 0 : socket_at_file(netlink, file, SOCKETS_CONNECTED);
	int found = -1;

	if (bound == 0)
		return -1;
	pthread_mutex_lock(&boxes.lock);
	for (int i = 0; found < 0 && i < boxes.count; i++)
		if (boxes.all[i].given == bound)
			found = fcntl(boxes.all[i].writes, F_DUPFD_CLOEXEC, 3);
	pthread_mutex_unlock(&boxes.lock);
	return found;
}
