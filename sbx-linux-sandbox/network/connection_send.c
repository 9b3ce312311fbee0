#include "base/cleanup.h"
#include "network/connect_for.h"
#include "network/connection_parts.h"
#include "observer/asking_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define MOST_PARTS 64
#define MOST_SENT  262144 /* no limit of the command bounds what waits here */

struct message {
	uint64_t parts, count; /* a struct iovec each, in the caller */
	int flags;
};

/* sendmsg() has all of it in a structure, sendto() in its arguments. */
static int read_message(struct connection *c, struct message *message)
{
	const __u64 *args = c->request.data.args;
	struct {
		uint64_t name;
		uint32_t len;
		uint64_t parts, count, control, control_len;
	} header;

	if (c->request.data.nr == SYS_sendto) {
		*message = (struct message){.flags = (int)args[3]};
		return connection_address(c, 4, 5);
	}
	if (target_read((pid_t)c->request.pid, args[1], &header, sizeof(header)) != sizeof(header))
		return EFAULT;
	*message = (struct message){header.parts, header.count, (int)args[2]};
	/* Descriptors would have to be passed on. */
	if (header.control_len != 0)
		return EOPNOTSUPP;
	c->request.data.args[4] = header.name;
	c->request.data.args[5] = header.len;
	return connection_address(c, 4, 5);
}

/* Appends; false when it cannot be read, or is more than a message may be. */
static bool append(struct connection *c, char *text, uint64_t from, uint64_t size)
{
	if (size > MOST_SENT - c->sent ||
	    target_read((pid_t)c->request.pid, from, text + c->sent, size) != size)
		return false;
	c->sent += size;
	return true;
}

static bool read_text(struct connection *c, const struct message *message, char *text)
{
	struct {
		uint64_t from, size;
	} part;

	if (c->request.data.nr == SYS_sendto)
		return append(c, text, c->request.data.args[1], c->request.data.args[2]);
	if (message->count > MOST_PARTS)
		return false;
	for (uint64_t i = 0; i < message->count; i++)
		if (target_read((pid_t)c->request.pid, message->parts + i * sizeof(part), &part,
		                sizeof(part)) != sizeof(part) ||
		    !append(c, text, part.from, part.size))
			return false;
	return true;
}

/* As long as there is no room the caller waits, unless it does not want to. */
static int put_into(const struct connection *c, int box, const char *text, bool waits)
{
	struct pollfd room = {.fd = box, .events = POLLOUT};

	while (send(box, text, c->sent, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
		if (errno == EPIPE)
			return ECONNREFUSED;
		if (errno != EAGAIN || !waits)
			return errno;
		poll(&room, 1, 100);
		if (!connection_waits(c))
			return EINTR;
	}
	return 0;
}

int connection_send(struct connection *c)
{
	const struct sockaddr_un *named = (const void *)&c->address;
	cleanup_close int fd = socket_of(c->listener, &c->request);
	cleanup_close int file = -1;
	cleanup_close int box = -1;
	cleanup_free char *text = malloc(MOST_SENT);
	struct message message;
	struct stat st;
	int error;

	if (fd < 0 || !text)
		return errno;
	c->family = AF_UNIX;
	error = read_message(c, &message);
	if (error)
		return error;
	if (c->len <= offsetof(struct sockaddr_un, sun_path) || c->len > sizeof(*named) ||
	    named->sun_family != AF_UNIX)
		return EINVAL;
	if (named->sun_path[0] == '\0')
		return ECONNREFUSED;
	file = connection_file(c);
	if (file < 0 || fstat(file, &st) < 0)
		return errno;
	box = S_ISSOCK(st.st_mode) ? connection_mailbox(c, &st, &error) : -1;
	if (box < 0)
		return error ? error : ECONNREFUSED;
	if (!read_text(c, &message, text))
		return EMSGSIZE;
	return put_into(c, box, text,
	                !(message.flags & MSG_DONTWAIT) && !(fcntl(fd, F_GETFL) & O_NONBLOCK));
}
