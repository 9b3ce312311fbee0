#include "control.h"

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

int control_receive(int fd, struct message *message)
{
	ssize_t n;

	memset(message, 0, sizeof(*message));
	do
		n = recv(fd, message, sizeof(*message), 0);
	while (n < 0 && errno == EINTR);
	/* The writer is SIGKILLed together with its namespace now and then. */
	if (n < 0 && errno == ECONNRESET)
		return 0;
	if (n <= 0)
		return (int)n;
	message->text[sizeof(message->text) - 1] = '\0';
	if ((size_t)n <= offsetof(struct message, text)) {
		errno = EPROTO;
		return -1;
	}
	return 1;
}
