/*
 * Which bubblewrap of the system may we run, and what can it do?
 */
#ifndef SBX_LINUX_WHICH_BWRAP_H
#define SBX_LINUX_WHICH_BWRAP_H

#include "trust/could_write.h"

#include <stdbool.h>

struct bwrap {
	bool system; /* the system's, opened as fd; else the vendored one */
	int fd;
	bool argv0;   /* it has --argv0 */
	bool bind_fd; /* it has --bind-fd and --ro-bind-fd */
	bool current; /* its set-up does not follow links: 0.12.0 or later */
};

/*
 * Opens the first that is trustworthy: in a directory of the system, never one
 * of PATH, which the command, a document or a project could name; owned by root
 * like all directories above it, writable by nobody else, not set-user-id, and
 * not within the command's reach (w).  only_current: not older than the vendored
 * one, whose release mends a hole in the set-up (CVE-2026-87766).
 */
bool which_bwrap(const struct could_write *w, bool only_current, struct bwrap *bwrap);
void bwrap_close(struct bwrap *bwrap);

#endif
