#include "network/datagram_pair.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define TYPE_MASK 0xf

bool asks_for_pair(const struct seccomp_notif *request)
{
	int type = (int)request->data.args[1] & TYPE_MASK;

	/* To unix sockets SOCK_RAW means the same. */
	return request->data.nr == SYS_socketpair && (int)request->data.args[0] == AF_UNIX &&
	       (type == SOCK_DGRAM || type == SOCK_RAW) && (int)request->data.args[2] == 0;
}

/* The number that it has there; -1 with errno. */
static int hand_in(int listener, const struct seccomp_notif *request, int fd, bool cloexec)
{
	struct seccomp_notif_addfd give = {
	        .id = request->id, .srcfd = (uint32_t)fd, .newfd_flags = cloexec ? O_CLOEXEC : 0};

	return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &give);
}

static bool tell_numbers(const struct seccomp_notif *request, const int numbers[2])
{
	struct iovec own = {(void *)(uintptr_t)numbers, 2 * sizeof(int)};
	struct iovec there = {(void *)(uintptr_t)request->data.args[3], 2 * sizeof(int)};

	return process_vm_writev((pid_t)request->pid, &own, 1, &there, 1, 0) ==
	       (ssize_t)(2 * sizeof(int));
}

int pair_for(int listener, const struct seccomp_notif *request)
{
	int flags = (int)request->data.args[1] & ~TYPE_MASK;
	int ends[2], numbers[2];
	bool cloexec = (flags & SOCK_CLOEXEC) != 0;
	uint64_t id = request->id;

	if (flags & ~(SOCK_CLOEXEC | SOCK_NONBLOCK))
		return EINVAL;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | (flags & SOCK_NONBLOCK), 0, ends) <
	    0)
		return errno;
	cleanup_close int first = ends[0];
	cleanup_close int second = ends[1];

	/* Two numbers are in the caller's table before it is told; that one is still the caller. */
	numbers[0] = hand_in(listener, request, first, cloexec);
	numbers[1] = numbers[0] < 0 ? -1 : hand_in(listener, request, second, cloexec);
	if (numbers[1] < 0)
		return errno == EMFILE ? EMFILE : EPERM;
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) < 0 ||
	    !tell_numbers(request, numbers))
		return EFAULT;
	return 0;
}
