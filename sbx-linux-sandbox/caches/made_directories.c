#include "caches/made_directories.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "fs/same_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

#define MARK    (S_ISVTX | 0700)
#define TURN_US 500 /* somebody else is about to remove it */

static bool end_at_once(void *context, const char *name, enum kind kind)
{
	(void)context, (void)name, (void)kind;
	return false;
}

static bool is_marked(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (st.st_mode & 07777) == MARK && st.st_uid == geteuid();
}

/* -1 with errno. */
static int keep_parent(struct made_directories *all, int parent)
{
	struct stat st, other;
	int fd;

	if (fstat(parent, &st) < 0)
		return -1;
	for (size_t i = 0; i < all->parent_count; i++)
		if (fstat(all->parents[i], &other) == 0 && same_file(&st, &other))
			return all->parents[i];
	fd = fcntl(parent, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return -1;
	all->parents = xrealloc_array(all->parents, all->parent_count + 1, sizeof(*all->parents));
	all->parents[all->parent_count++] = fd;
	return fd;
}

/* Held by us from now on; not if whoever removes it is faster. */
static bool adopt(struct made_directories *all, int parent, const char *name, int dir)
{
	cleanup_close int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int holder = keep_parent(all, parent);

	if (fd < 0 || holder < 0 || flock(fd, LOCK_SH | LOCK_NB) < 0)
		return false;
	all->items = xrealloc_array(all->items, all->count + 1, sizeof(*all->items));
	all->items[all->count++] = (struct made_directory){
	        .parent = holder, .fd = keep_fd(&fd), .name = xstrdup(name)};
	return true;
}

/* On another file system there is nothing to take, or to put there. */
static bool move(int from, const char *name, int to, const char *other)
{
	return syscall(SYS_renameat2, from, name, to, other, RENAME_NOREPLACE) == 0;
}

static int make(struct made_directories *all, int parent, const char *name)
{
	char spare[24];

	snprintf(spare, sizeof(spare), "%u", all->taken);
	if (all->pool >= 0 && move(all->pool, spare, parent, name)) {
		all->taken++;
		return 0;
	}
	return mkdirat(parent, name, MARK);
}

/* One step down; another run may remove what was seen a moment ago. */
static int step(struct made_directories *all, int parent, const char *name, int *made)
{
	for (int i = 0; i < 100; i++) {
		cleanup_close int fd =
		        openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd < 0 && errno != ENOENT)
			return -1;
		if (fd < 0) {
			if (make(all, parent, name) < 0 && errno != EEXIST)
				return -1;
			continue;
		}
		*made = is_marked(fd);
		if (!*made)
			return keep_fd(&fd);
		if (adopt(all, parent, name, fd) && is_still_named(fd, parent, name))
			return keep_fd(&fd);
		usleep(TURN_US);
	}
	errno = EBUSY;
	return -1;
}

/* One that is not ours to remove keeps those above it. */
static int open_existing(int home, const char *name)
{
	cleanup_close int fd = path_open_beneath(home, name, O_PATH | O_DIRECTORY | O_NOFOLLOW);

	return fd >= 0 && !is_marked(fd) ? keep_fd(&fd) : -1;
}

int made_open(struct made_directories *all, int home, const char *place, int *made)
{
	cleanup_free char *copy = xstrdup(place);
	cleanup_close int dir = open_existing(home, place);
	char *rest = copy;

	*made = 0;
	if (dir >= 0)
		return keep_fd(&dir);
	dir = openat(home, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	for (const char *name; dir >= 0 && (name = strsep(&rest, "/")) != NULL;) {
		int next = step(all, dir, name, made);

		close(dir);
		dir = next;
	}
	return keep_fd(&dir);
}

static bool is_empty(int fd)
{
	return lseek(fd, 0, SEEK_SET) == 0 && listing(fd, end_at_once, NULL) == 0;
}

/*
 * True: nothing of it is left at its place.  What came into it meanwhile goes back with it.
 *
 * In the pool they are counted without a gap, whatever was not put there: what comes
 * after a gap would never be taken.
 */
static bool remove_empty(struct made_directories *all, const struct made_directory *d)
{
	char spare[24];

	snprintf(spare, sizeof(spare), "%u", all->returned);
	if (!is_empty(d->fd))
		return false;
	if (all->pool < 0 || !move(d->parent, d->name, all->pool, spare))
		return unlinkat(d->parent, d->name, AT_REMOVEDIR) == 0;
	if (is_empty(d->fd)) {
		all->returned++;
		return true;
	}
	return !move(all->pool, spare, d->parent, d->name);
}

static void put_away(struct made_directories *all, const struct made_directory *d)
{
	/* Somebody else needs it, or made it another one. */
	if (flock(d->fd, LOCK_EX | LOCK_NB) < 0 || !is_still_named(d->fd, d->parent, d->name))
		return;
	if (remove_empty(all, d))
		return;
	/* It is in use, and the user's. */
	if (fchmod(d->fd, 0700) < 0)
		errno = 0;
}

void made_remove(struct made_directories *all)
{
	/* What lies in another one came after it. */
	for (size_t i = all->count; i > 0; i--)
		put_away(all, &all->items[i - 1]);
	made_close(all);
}

void made_close(struct made_directories *all)
{
	for (size_t i = 0; i < all->count; i++) {
		close(all->items[i].fd);
		free(all->items[i].name);
	}
	for (size_t i = 0; i < all->parent_count; i++)
		close(all->parents[i]);
	free(all->parents);
	free(all->items);
	if (all->pool >= 0)
		close(all->pool);
	*all = (struct made_directories)MADE_NONE;
}
