#include "rpc/outbox.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A pipe that poll() calls writable takes this much at once: PIPE_BUF of Linux. */
#define WRITE_AT_ONCE 4096

static void append(struct outbox *outbox, const char *bytes, size_t len)
{
	if (outbox->start > 0 && outbox->used + len > outbox->room) {
		memmove(outbox->text, outbox->text + outbox->start, outbox->used - outbox->start);
		outbox->used -= outbox->start;
		outbox->start = 0;
	}
	if (outbox->used + len > outbox->room) {
		outbox->room = outbox->used + len + outbox->room / 2;
		outbox->text = xrealloc_array(outbox->text, outbox->room, 1);
	}
	memcpy(outbox->text + outbox->used, bytes, len);
	outbox->used += len;
}

void outbox_add(struct outbox *outbox, const json_t *message)
{
	cleanup_free char *text = xjson(json_text_dump(message, JSON_COMPACT));

	if (outbox->broken)
		return;
	append(outbox, text, strlen(text));
	append(outbox, "\n", 1);
}

size_t outbox_waiting(const struct outbox *outbox)
{
	return outbox->used - outbox->start;
}

/* Of the client's choice: a socket can be asked not to wait, a pipe takes little at once. */
static ssize_t write_some(int fd, const char *bytes, size_t len)
{
	ssize_t n = send(fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n >= 0 || errno != ENOTSOCK)
		return n;
	return write(fd, bytes, len < WRITE_AT_ONCE ? len : WRITE_AT_ONCE);
}

void outbox_push(struct outbox *outbox)
{
	ssize_t n;

	if (outbox_waiting(outbox) == 0)
		return;
	n = write_some(outbox->fd, outbox->text + outbox->start, outbox_waiting(outbox));
	if (n > 0)
		outbox->start += (size_t)n;
	else if (n < 0 && errno != EINTR && errno != EAGAIN)
		outbox->broken = true;
	if (outbox->start == outbox->used || outbox->broken)
		outbox->start = outbox->used = 0;
}

void outbox_free(struct outbox *outbox)
{
	free(outbox->text);
}
