#include "gateway/pass_fd.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr header;
};

int pass_send(int line, const void *bytes, size_t len, int fd, int flags)
{
	union control control = {{0}};
	struct iovec data = {.iov_len = len};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};

	memcpy(&data.iov_base, &bytes, sizeof(bytes)); /* which it does not change */
	if (fd >= 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
		control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
		                                  .cmsg_type = SCM_RIGHTS,
		                                  .cmsg_len = CMSG_LEN(sizeof(fd))};
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	}
	return sendmsg(line, &message, flags | MSG_NOSIGNAL) < 0 ? -1 : 0;
}

ssize_t pass_receive(int line, void *bytes, size_t len, int *fd, int flags)
{
	union control control = {{0}};
	struct iovec data = {.iov_base = bytes, .iov_len = len};
	struct msghdr message = {.msg_iov = &data,
	                         .msg_iovlen = 1,
	                         .msg_control = control.bytes,
	                         .msg_controllen = sizeof(control.bytes)};
	ssize_t n = recvmsg(line, &message, flags | MSG_CMSG_CLOEXEC);

	*fd = -1;
	if (n > 0 && message.msg_controllen >= CMSG_LEN(sizeof(*fd)) &&
	    control.header.cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(&control.header), sizeof(*fd));
	return n;
}
