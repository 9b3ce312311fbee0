#include "supervise/capture.h"

#include "base/memory.h"
#include "document/osstring.h"
#include "process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_stream(struct stream *stream, struct error *err)
{
	int ends[2];

	if (pipe_open(ends, err) < 0)
		return -1;
	stream->fd = ends[0];
	stream->end = ends[1];
	if (fcntl(stream->fd, F_SETFL, O_NONBLOCK) < 0)
		return error_system(err, "capturing output");
	return 0;
}

int capture_open(struct capture *c, struct error *err)
{
	*c = (struct capture){.out = {.fd = -1, .end = -1}, .err = {.fd = -1, .end = -1}};
	return open_stream(&c->out, err) < 0 ? -1 : open_stream(&c->err, err);
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Our copies of the writing ends would keep the streams from ending. */
void capture_started(struct capture *c)
{
	close_end(&c->out.end);
	close_end(&c->err.end);
}

void capture_close(struct capture *c)
{
	capture_started(c);
	close_end(&c->out.fd);
	close_end(&c->err.fd);
	free(c->out.data);
	free(c->err.data);
}

static void keep(struct stream *stream, const char *bytes, size_t len)
{
	size_t room = CAPTURE_MAX - stream->size;

	if (len > room) {
		stream->truncated = true;
		len = room;
	}
	if (len == 0)
		return;
	stream->data = xrealloc_array(stream->data, stream->size + len, 1);
	memcpy(stream->data + stream->size, bytes, len);
	stream->size += len;
}

void stream_read(struct stream *stream)
{
	char buffer[65536];

	while (stream->fd >= 0) {
		ssize_t n = read(stream->fd, buffer, sizeof(buffer));

		if (n > 0)
			keep(stream, buffer, (size_t)n);
		else if (n < 0 && errno == EINTR)
			continue;
		else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		else
			close_end(&stream->fd);
	}
}

/* The cut may have gone through a character; its head alone is not text. */
static size_t whole_characters(const struct stream *stream)
{
	size_t size = stream->size;

	if (!stream->truncated)
		return size;
	for (size_t back = 1; back <= 4 && back <= size; back++) {
		unsigned char c = (unsigned char)stream->data[size - back];
		size_t need = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

		if (c >> 6 != 2)
			return need > back ? size - back : size;
	}
	return size;
}

json_t *stream_json(const struct stream *stream)
{
	return os_bytes(stream->data ? stream->data : "", whole_characters(stream));
}
