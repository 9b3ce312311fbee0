/*
 * What has a session printed that nobody has read yet?
 */
#ifndef SBX_RUN_JOBS_BACKLOG_H
#define SBX_RUN_JOBS_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What nobody reads is kept up to here; the oldest goes first. */
#define BACKLOG_MAX ((size_t)1 << 20)

struct backlog {
	char *bytes;
	size_t used, room;
	uint64_t skipped; /* since the last time that somebody read */
};

void backlog_add(struct backlog *backlog, const char *bytes, size_t len);

/*
 * How much of it can be read now, at most so many bytes: whole characters, unless the
 * rest of the last one will never come.
 */
size_t backlog_ready(const struct backlog *backlog, size_t most, bool over);

/* That much has been read. */
void backlog_take(struct backlog *backlog, size_t len);
void backlog_free(struct backlog *backlog);

#endif
