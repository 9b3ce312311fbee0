#include "messages.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

int control_send(int fd, enum message_kind kind, int value, const char *text)
{
	struct message message = {.kind = (int32_t)kind, .value = value};
	size_t len;
	ssize_t n;

	snprintf(message.text, sizeof(message.text), "%s", text ? text : "");
	len = offsetof(struct message, text) + strlen(message.text) + 1;
	do
		n = send(fd, &message, len, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)len ? 0 : -1;
}

/* Room for one fd, aligned as the kernel wants it. */
union ancillary {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

int control_send_fd(int fd, enum message_kind kind, int value, int passed)
{
	struct message message = {.kind = (int32_t)kind, .value = value};
	struct iovec part = {.iov_base = &message, .iov_len = offsetof(struct message, text) + 1};
	union ancillary ancillary = {.room = {0}};
	struct msghdr header = {.msg_iov = &part,
	                        .msg_iovlen = 1,
	                        .msg_control = &ancillary,
	                        .msg_controllen = sizeof(ancillary.room)};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&header);
	ssize_t n;

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &passed, sizeof(int));
	do
		n = sendmsg(fd, &header, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)part.iov_len ? 0 : -1;
}

static int passed_fd(struct msghdr *header)
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(header);
	int fd;

	if (!cmsg || cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS ||
	    cmsg->cmsg_len != CMSG_LEN(sizeof(int)))
		return -1;
	memcpy(&fd, CMSG_DATA(cmsg), sizeof(int));
	return fd;
}

int control_receive(int fd, struct message *message)
{
	struct iovec part = {.iov_base = message, .iov_len = offsetof(struct message, fd)};
	union ancillary ancillary = {.room = {0}};
	struct msghdr header = {.msg_iov = &part,
	                        .msg_iovlen = 1,
	                        .msg_control = &ancillary,
	                        .msg_controllen = sizeof(ancillary.room)};
	ssize_t n;

	memset(message, 0, sizeof(*message));
	message->fd = -1;
	do
		n = recvmsg(fd, &header, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	/* The writer is SIGKILLed together with its namespace now and then. */
	if (n < 0 && errno == ECONNRESET)
		return 0;
	if (n <= 0)
		return (int)n;
	message->fd = passed_fd(&header);
	message->text[sizeof(message->text) - 1] = '\0';
	if ((size_t)n <= offsetof(struct message, text)) {
		errno = EPROTO;
		return -1;
	}
	return 1;
}
