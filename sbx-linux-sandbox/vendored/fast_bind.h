/*
 * How does the vendored bubblewrap mount when this program calls it?
 */
#ifndef SBX_LINUX_SANDBOX_VENDORED_FAST_BIND_H
#define SBX_LINUX_SANDBOX_VENDORED_FAST_BIND_H

#include <sys/types.h>

/* From now on whole trees at once (fast_bind.c says how), with bubblewrap's own way as the
 * fallback. */
void bind_whole_trees(void);

/*
 * One overlay, of which parts are shown: the directory `lower`, and over it what was
 * written, in "upper" of `layer`, with the kernel's "work" beside it.
 */
struct overlay {
	const char *lower, *layer;
	struct overlay_part {
		dev_t dev; /* in "upper": what is mounted from there is the part of that name */
		ino_t ino;
		const char *name; /* from `lower` */
	} * parts;
	size_t count;
};

/* Until bubblewrap is done. */
void bind_from_overlay(const struct overlay *from);

#endif
