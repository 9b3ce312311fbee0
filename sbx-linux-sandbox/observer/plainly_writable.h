/*
 * Is a path plainly inside a writable place?
 *
 * This is so for nearly every call of nearly every command, and each waits for
 * the answer, so it has to be cheap: for a new file in a known directory it
 * takes no system call.  "No" means only that somebody has to look closely.
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_PLAINLY_WRITABLE_H
#define SBX_LINUX_SANDBOX_OBSERVER_PLAINLY_WRITABLE_H

#include "policy/permissions.h"
#include "tmp/mount_points.h"

#include <stdbool.h>

#define PLACES_KEPT 64

struct plain {
	const struct permissions *permissions;
	const struct view *view;
	int root;
	/*
	 * Directories that were found to be reached without links.  They stay
	 * so until somebody makes or moves a link, and that we see.
	 */
	struct {
		char *directory;
		bool open; /* writable, and the policy has nothing to say about what is in it */
	} places[PLACES_KEPT];
};

void plain_begin(struct plain *plain, const struct view *view);

/* A link is about to be made, or something to be moved. */
void plain_forget(struct plain *plain);

/*
 * path is tidy (path_tidy()).  new_name: a link in its place is not followed;
 * removes: what is below goes along.
 */
bool plainly_writable(struct plain *plain, const char *path, bool new_name, bool removes);

#endif
