#include "supervise/event_output.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "formats/write_all.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What waits for the reader, at most. */
#define WAITING_MAX ((size_t)1 << 20)

/* A pipe that can be written at all takes this much without blocking. */
#define PIECE 4096

/* How long a reader may rest before the end does not wait for it. */
#define REST_MS 2000

static bool add(struct sink *s, const json_t *event)
{
	cleanup_free char *line = json_text_dump(event, JSON_COMPACT);
	size_t len = line ? strlen(line) : 0;

	if (!line || s->used + len + 1 > WAITING_MAX)
		return false;
	s->text = xrealloc_array(s->text, s->used + len + 1, 1);
	memcpy(s->text + s->used, line, len);
	s->text[s->used + len] = '\n';
	s->used += len + 1;
	return true;
}

int sink_waits(const struct sink *s)
{
	return s->fd >= 0 && s->used > 0 && !s->broken ? s->fd : -1;
}

/* The caller's descriptor is not ours to make non-blocking. */
static ssize_t put(const struct sink *s)
{
	size_t len = s->used < PIECE ? s->used : PIECE;
	ssize_t n = send(s->fd, s->text, len, MSG_DONTWAIT | MSG_NOSIGNAL);

	return n < 0 && errno == ENOTSOCK ? write(s->fd, s->text, len) : n;
}

/* False when there is nothing to do, or the reader rested for so long. */
static bool push_once(struct sink *s, int wait_ms)
{
	struct pollfd fd = {.fd = sink_waits(s), .events = POLLOUT};
	ssize_t n;

	if (fd.fd < 0 || poll(&fd, 1, wait_ms) <= 0)
		return false;
	n = put(s);
	if (n > 0) {
		s->used -= (size_t)n;
		memmove(s->text, s->text + n, s->used);
	} else if (n < 0 && errno != EINTR && errno != EAGAIN) {
		s->broken = true;
	}
	return true;
}

void sink_push(struct sink *s)
{
	while (push_once(s, 0))
		continue;
}

void sink_event(struct sink *s, const json_t *event)
{
	if (s->fd < 0 || s->broken)
		return;
	if (!add(s, event))
		s->lost++;
	sink_push(s);
}

void sink_finish(struct sink *s, const json_t *last)
{
	while (push_once(s, REST_MS))
		continue;
	if (s->lost > 0 && s->used == 0) {
		cleanup_json json_t *event = xjson(
		        json_pack("{s:s,s:I}", "event", "dropped", "count", (json_int_t)s->lost));

		add(s, event);
	}
	/* There is room unless the reader rests, who will not get to the end. */
	add(s, last);
	while (push_once(s, REST_MS))
		continue;
	if (s->fd > STDERR_FILENO)
		end_file(s->fd);
	free(s->text);
	*s = (struct sink){.fd = -1};
}
