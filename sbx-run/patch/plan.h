/*
 * What does the confined half of the patch tool ask the other half to write?
 *
 * Both talk over two pipes: the text of the patch goes in, one request for each
 * changed file comes out, and an answer goes in.
 */
#ifndef SBX_RUN_PATCH_PLAN_H
#define SBX_RUN_PATCH_PLAN_H

#include "base/error.h"
#include "base/sha256.h"

#include <stdbool.h>
#include <stdint.h>

enum plan_kind {
	PLAN_WRITE,
	PLAN_DELETE,
	PLAN_END, /* all have been said */
};

/* Then the path, the path whose mode it gets, and the content: as many bytes as said here. */
struct plan_head {
	uint32_t kind;
	uint32_t path_len, mode_len; /* mode_len 0: its own, or that of a new file */
	uint32_t existed;            /* it was there before, with this in it */
	char was[SHA256_TEXT_SIZE];
	uint64_t len;
};

/* Longer ones are no paths. */
#define PLAN_PATH_MAX 4096

/* All of it, or -1 with errno; reading less than that is EPIPE. */
int plan_receive(int fd, void *bytes, size_t len);

/* A text with its length before it; receiving gives a new, terminated one. */
int plan_send_text(int fd, const char *text, size_t len);
char *plan_receive_text(int fd, size_t *len, size_t most);

#endif
