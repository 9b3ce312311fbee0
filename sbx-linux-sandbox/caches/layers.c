#include "caches/layers.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/complain.h"
#include "base/memory.h"
#include "caches/tree_size.h"
#include "fs/fd_path.h"
#include "fs/path.h"
#include "fs/same_file.h"
#include "linux/overlay_fit.h"
#include "tmp/stale_tmp.h"
#include "trust/kept_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* More runs at once in one workspace do without. */
#define SLOTS      32
#define DAYS       30
#define MOMENT_MS  1000
#define OPEN_UPPER (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* The directory above "sbx" may be missing in a new home. */
static int open_state(const char *kept)
{
	cleanup_free char *path = path_parent(kept);

	return kept_make(path) < 0 ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int open_place(const char *kept)
{
	cleanup_close int state = open_state(kept);
	cleanup_close int own = state < 0 ? -1 : private_enter(state, strrchr(kept, '/') + 1);

	return own < 0 ? -1 : private_enter(own, "caches");
}

static int take_slot(int home)
{
	for (int i = 0; i < SLOTS; i++) {
		char name[16];
		cleanup_close int fd = -1;

		snprintf(name, sizeof(name), "%d", i);
		fd = private_enter(home, name);
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return keep_fd(&fd);
	}
	errno = EBUSY;
	return -1;
}

/* 0, also if it is there already. */
static int make(int at, const char *name)
{
	return mkdirat(at, name, 0700) < 0 && errno != EEXIST ? -1 : 0;
}

static int prepare_slot(struct layers *layers)
{
	char path[PATH_MAX];

	if (make(layers->slot, "upper") < 0 || fd_name(layers->slot, path) < 0)
		return -1;
	layers->path = xstrdup(path);
	layers->upper = openat(layers->slot, "upper", OPEN_UPPER);
	if (layers->upper < 0)
		return -1;
	layers->made.pool = private_enter(layers->slot, "pool");
	return layers->made.pool < 0 ? -1 : 0;
}

int layers_need_overlay(struct layers *layers)
{
	if (layers->overlay.layer)
		return 0;
	layers->overlay.layer = layers->path;
	return work_renew(layers->slot);
}

void layers_open(const struct request *request, struct layers *layers)
{
	cleanup_free char *name = NULL;
	int number;

	if (request->cache_count == 0)
		return;
	layers->max = request->caches_max;
	/* An attempt that must fail costs as much as the one after it. */
	layers->plain |= !overlay_can_keep(request->kept);
	layers->overlay.lower = request->home;
	layers->overlay.apart = true;
	layers->home.place = open_place(request->kept);
	if (layers->home.place >= 0 &&
	    workspace_enter(&layers->home, request->workspace, &name) == 0)
		layers->slot = take_slot(layers->home.home);
	if (layers->slot >= 0 && prepare_slot(layers) < 0) {
		close(layers->slot);
		layers->slot = -1;
	}
	/* Where the home is read-only, a tool that runs without us keeps nothing either. */
	if (layers->slot < 0 && ((number = errno) != EROFS || access(request->home, W_OK) == 0))
		complain("caches stay read-only: nothing can be kept in \"%s\": %s", request->kept,
		         strerror(number));
}

/* Each step as if nobody had been there: a command may have put a link in its way. */
int layer_open(const struct layers *layers, const char *name)
{
	cleanup_free char *copy = xstrdup(name);
	cleanup_close int at = path_open_beneath(layers->upper, name, OPEN_UPPER);
	char *rest = copy;

	if (at >= 0 || errno != ENOENT)
		return keep_fd(&at);
	at = openat(layers->upper, ".", OPEN_UPPER);
	for (const char *step; at >= 0 && (step = strsep(&rest, "/")) != NULL;) {
		int next = openat(at, step, OPEN_UPPER);

		if (next < 0 && errno == ENOENT && mkdirat(at, step, 0700) == 0)
			next = openat(at, step, OPEN_UPPER);
		close(at);
		at = next;
	}
	return keep_fd(&at);
}

/* ---- how much ------------------------------------------------------------------ */

/* Of another run's part there is one that nobody has now. */
static void empty_slot(const struct layers *layers, int number)
{
	char name[16];
	cleanup_close int fd = -1;
	struct stat own, other;

	snprintf(name, sizeof(name), "%d", number);
	fd = openat(layers->home.home, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &other) < 0 || fstat(layers->slot, &own) < 0 ||
	    (!same_file(&own, &other) && flock(fd, LOCK_EX | LOCK_NB) < 0))
		return;
	tree_remove(fd, "upper", now_ms() + MOMENT_MS);
}

/*
 * Looked at once a day: to add it up takes longer than many a command.  What is too
 * much goes as a whole, since what is used again is fetched again.
 */
static void keep_bounds(const struct layers *layers)
{
	if (!sweep_is_due(layers->home.home))
		return;
	if (tree_size(layers->home.home, now_ms() + MOMENT_MS) > layers->max)
		for (int i = 0; i < SLOTS; i++)
			empty_slot(layers, i);
	sweep_is_done(layers->home.home);
}

void layers_tidy(struct layers *layers)
{
	if (layers->slot >= 0)
		spent_begin(&layers->spent, layers->slot);
}

void layers_end(struct layers *layers)
{
	made_remove(&layers->made);
	if (layers->slot >= 0)
		keep_bounds(layers);
	spent_wait(&layers->spent);
	if (layers->overlay.layer)
		work_open(layers->slot);
	stale_remove(&layers->home, DAYS);
	layers_close(layers);
	free(layers->path);
	free(layers->overlay.parts);
}

void layers_close(struct layers *layers)
{
	made_close(&layers->made);
	if (layers->slot >= 0)
		close(layers->slot);
	if (layers->upper >= 0)
		close(layers->upper);
	layers->slot = layers->upper = -1;
	private_tmp_close(&layers->home);
}
