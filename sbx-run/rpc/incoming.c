#include "rpc/incoming.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_AT_ONCE 65536

/* Room for one more read: what was taken already goes first. */
static void make_room(struct incoming *in)
{
	if (in->start > 0) {
		memmove(in->data, in->data + in->start, in->used - in->start);
		in->used -= in->start;
		in->start = 0;
	}
	if (in->room - in->used >= READ_AT_ONCE)
		return;
	in->room = in->room * 2 > READ_AT_ONCE ? in->room * 2 : 2 * READ_AT_ONCE;
	in->data = xrealloc_array(in->data, in->room, 1);
}

void incoming_fill(struct incoming *in)
{
	ssize_t n;

	make_room(in);
	n = read(in->fd, in->data + in->used, READ_AT_ONCE);
	if (n > 0)
		in->used += (size_t)n;
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		in->ended = true;
}

/* Nothing of a long line is kept but that it was there. */
static enum line pass_over(struct incoming *in)
{
	bool first = !in->passing;

	in->passing = true;
	in->start = in->used = in->seen = 0;
	return first ? LINE_TOO_LONG : LINE_NONE;
}

enum line incoming_next(struct incoming *in, const char **text, size_t *len)
{
	char *begin = in->data + in->start;
	size_t left = in->used - in->start;
	char *end = left > in->seen ? memchr(begin + in->seen, '\n', left - in->seen) : NULL;

	if (!end && in->ended && left > 0 && !in->passing) {
		*text = begin;
		*len = left;
		in->start = in->used;
		in->seen = 0;
		return LINE_WHOLE;
	}
	if (!end) {
		in->seen = left;
		return in->passing || left > LINE_MAX_BYTES ? pass_over(in) : LINE_NONE;
	}
	*text = begin;
	*len = (size_t)(end - begin);
	in->start += *len + 1;
	in->seen = 0;
	if (in->passing) {
		in->passing = false;
		return incoming_next(in, text, len);
	}
	return *len > LINE_MAX_BYTES ? LINE_TOO_LONG : LINE_WHOLE;
}

void incoming_free(struct incoming *in)
{
	free(in->data);
}
