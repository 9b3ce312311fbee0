/*
 * Of which directories does a preview need a copy?
 *
 * Of every writable directory that is not in another one, and of the directory of a
 * single writable file.  What is private anyway, /tmp, has no effect to be previewed.
 */
#ifndef SBX_LINUX_SANDBOX_PREVIEW_PREVIEW_ROOTS_H
#define SBX_LINUX_SANDBOX_PREVIEW_PREVIEW_ROOTS_H

#include "request.h"
#include "vendored/fast_bind.h"

#include <stdbool.h>

struct preview_root {
	char *lower;            /* what the host has */
	char *layer;            /* what is written, by its canonical name: N in the state */
	struct overlay overlay; /* of both */
};

struct preview {
	int state; /* the directory that our caller made; -1: no preview */
	struct preview_root *roots;
	size_t count;
};

#define PREVIEW_NONE                                                                               \
	{                                                                                          \
		.state = -1                                                                        \
	}

/*
 * Finds them, refuses what an overlay cannot show, and makes for each a directory N in
 * the state: "root" says which it is, "upper" takes what is written.
 */
int preview_open(const struct request *request, struct preview *preview, struct error *err);

/* The one that a path is in; NULL: none. */
struct preview_root *preview_root_of(const struct preview *preview, const char *path);

/* In a process that does not need the state. */
void preview_close(struct preview *preview);
void preview_free(struct preview *preview);

#endif
