#include "jobs/backlog.h"

#include "base/memory.h"
#include "jobs/characters.h"

#include <stdlib.h>
#include <string.h>

/* Moves the rest only when as much again has come: each byte moves about once. */
static void drop_oldest(struct backlog *backlog)
{
	size_t gone = backlog->used - BACKLOG_MAX;

	memmove(backlog->bytes, backlog->bytes + gone, BACKLOG_MAX);
	backlog->used = BACKLOG_MAX;
	backlog->skipped += gone;
}

void backlog_add(struct backlog *backlog, const char *bytes, size_t len)
{
	if (backlog->used + len > backlog->room) {
		backlog->room = backlog->used + len + backlog->room / 2;
		backlog->bytes = xrealloc_array(backlog->bytes, backlog->room, 1);
	}
	memcpy(backlog->bytes + backlog->used, bytes, len);
	backlog->used += len;
	if (backlog->used > 2 * BACKLOG_MAX)
		drop_oldest(backlog);
}

size_t backlog_ready(const struct backlog *backlog, size_t most, bool over)
{
	size_t len = backlog->used < most ? backlog->used : most;
	size_t whole = whole_characters(backlog->bytes, len);

	return over && len == backlog->used ? len : whole;
}

void backlog_take(struct backlog *backlog, size_t len)
{
	if (len > 0)
		memmove(backlog->bytes, backlog->bytes + len, backlog->used - len);
	backlog->used -= len;
	backlog->skipped = 0;
}

void backlog_free(struct backlog *backlog)
{
	free(backlog->bytes);
}
