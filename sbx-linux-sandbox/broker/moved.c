#include "broker/moved.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/fd_path.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

/* What may be done, as something that can be compared. */
static int freedom(enum access access)
{
	return access == ACCESS_NONE ? 0 : access == ACCESS_READ ? 1 : 2;
}

/* Less may be done with it than beside it. */
static bool is_narrower(const struct permissions *policy, const struct entry *entry)
{
	cleanup_free char *parent = NULL;

	if (entry->path[1] == '\0')
		return false;
	parent = path_parent(entry->path);
	return freedom(entry->access) < freedom(permissions_resolve(policy, parent, NULL));
}

static void pin(struct pinned_name *name, const struct stat *st)
{
	struct stat own;

	if (name->fd >= 0)
		close(name->fd);
	name->fd = -1;
	name->there = st != NULL;
	if (!st)
		return;
	name->dev = st->st_dev;
	name->ino = st->st_ino;
	name->fd = open(name->entry->path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	/* Another already: the next look finds that out. */
	if (name->fd >= 0 &&
	    (fstat(name->fd, &own) < 0 || own.st_dev != st->st_dev || own.st_ino != st->st_ino)) {
		close(name->fd);
		name->fd = -1;
	}
}

static const struct stat *look(const struct pinned_name *name, struct stat *st)
{
	return lstat(name->entry->path, st) == 0 ? st : NULL;
}

static bool is_the_same(const struct pinned_name *name, const struct stat *st)
{
	return st ? name->there && st->st_dev == name->dev && st->st_ino == name->ino
	          : !name->there;
}

enum whereabouts { AS_BEFORE, HARMLESS, IN_REACH };

/* What is gone for good is harmless, and so is what is protected where it is now. */
static enum whereabouts where_is(const struct moved *moved, const struct pinned_name *name)
{
	char path[PATH_MAX];
	struct stat st;

	if (!name->there)
		return HARMLESS;
	if (name->fd < 0 || fstat(name->fd, &st) < 0 || fd_name(name->fd, path) < 0)
		return IN_REACH;
	if (strcmp(path, name->entry->path) == 0)
		return AS_BEFORE;
	if (st.st_nlink == 0)
		return HARMLESS;
	return freedom(permissions_resolve(moved->policy, path, NULL)) >
	                       freedom(name->entry->access)
	               ? IN_REACH
	               : HARMLESS;
}

static void tell(struct moved *moved, const struct pinned_name *name)
{
	uint64_t one = 1;

	moved->path = name->entry->path;
	/* A counter of ours that nobody else writes is never full. */
	if (write(moved->told, &one, sizeof(one)) < 0)
		errno = 0;
}

bool moved_look(struct moved *moved)
{
	struct stat st;

	if (moved->path)
		return true;
	for (size_t i = 0; i < moved->count; i++) {
		struct pinned_name *name = &moved->names[i];
		const struct stat *now = look(name, &st);
		enum whereabouts where;

		if (is_the_same(name, now))
			continue;
		where = where_is(moved, name);
		if (where == IN_REACH) {
			tell(moved, name);
			return true;
		}
		if (where == HARMLESS)
			pin(name, now);
	}
	return false;
}

int moved_begin(struct moved *moved, const struct permissions *policy, struct error *err)
{
	struct stat st;

	*moved = (struct moved){.policy = policy, .told = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
	if (moved->told < 0)
		return error_system(err, "eventfd");
	for (size_t i = 0; i < policy->count; i++) {
		struct pinned_name name = {.entry = &policy->entries[i], .fd = -1};

		if (!is_narrower(policy, name.entry))
			continue;
		pin(&name, look(&name, &st));
		list_add(moved->names, moved->count, name);
	}
	return 0;
}
