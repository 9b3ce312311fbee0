/*
 * What did the command print?
 */
#ifndef SBX_RUN_SUPERVISE_CAPTURE_H
#define SBX_RUN_SUPERVISE_CAPTURE_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The head of a stream is kept; what follows is read and dropped, so that the
 * command never waits for us. */
#define CAPTURE_MAX ((size_t)1 << 20)

struct stream {
	int fd;  /* our end; -1 once it has ended */
	int end; /* the command's end, until it has been started */
	char *data;
	size_t size;
	bool truncated;
};

struct capture {
	struct stream out, err;
};

int capture_open(struct capture *capture, struct error *err);
void capture_started(struct capture *capture);
void capture_close(struct capture *capture);

/* All there is to read now. */
void stream_read(struct stream *stream);

/* The text, or base64 when it is not UTF-8 or has a NUL in it. */
json_t *stream_json(const struct stream *stream);

#endif
