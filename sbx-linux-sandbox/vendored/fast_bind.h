/*
 * How does the vendored bubblewrap mount when this program calls it?
 */
#ifndef SBX_LINUX_SANDBOX_VENDORED_FAST_BIND_H
#define SBX_LINUX_SANDBOX_VENDORED_FAST_BIND_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on whole trees at once (fast_bind.c says how), with bubblewrap's own way as the
 * fallback. */
void bind_whole_trees(void);

/* bubblewrap's bind_option_t, as of the release that the lock names. */
enum { BIND_READONLY = 1, BIND_DEVICES = 4, BIND_RECURSIVE = 8 };

/* In place of bubblewrap's own; 0 is success.  A source of -1: the flags of the target. */
int bwrap_bind_mount_fd(int source, int target, unsigned int options, char **failing);

/*
 * An overlay, of which parts are shown: the directory `lower`, and over it what was
 * written, in "upper" of `layer`, with the kernel's "work" beside it.
 */
struct overlay {
	const char *lower, *layer;
	struct overlay_part {
		dev_t dev; /* what is mounted from there is the part of that name */
		ino_t ino;
		const char *name; /* from `lower` */
	} * parts;
	size_t count;
	bool apart; /* where they cannot be parts of one, each may be one of its own */
};

/* One more, until bubblewrap is done; one without parts is none. */
void bind_from_overlay(const struct overlay *from);

#endif
