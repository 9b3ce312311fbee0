#include "mounts/mounts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct mount *mounts_append(struct mounts *mounts, enum mount_kind kind, const char *path)
{
	mounts->items = xrealloc_array(mounts->items, mounts->count + 1, sizeof(*mounts->items));
	mounts->items[mounts->count] =
	        (struct mount){.kind = kind, .path = xstrdup(path), .fd = -1};
	if (kind == MOUNT_LINK)
		mounts->links++;
	return &mounts->items[mounts->count++];
}

void mounts_append_empty(struct mounts *mounts, const char *path, unsigned perms)
{
	mounts_append(mounts, MOUNT_EMPTY, path)->perms = perms;
}

void mount_set_source(struct mount *mount, int fd, const struct stat *st)
{
	mount->fd = fd;
	mount->dev = st->st_dev;
	mount->ino = st->st_ino;
}

void mounts_append_source(struct mounts *mounts, enum mount_kind kind, const char *path, int fd,
                          const struct stat *st)
{
	mount_set_source(mounts_append(mounts, kind, path), fd, st);
}

void mounts_move_last(struct mounts *mounts, size_t to)
{
	struct mount last = mounts->items[mounts->count - 1];

	memmove(mounts->items + to + 1, mounts->items + to,
	        (mounts->count - 1 - to) * sizeof(*mounts->items));
	mounts->items[to] = last;
}

void mounts_free(struct mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++) {
		if (mounts->items[i].fd >= 0)
			close(mounts->items[i].fd);
		free(mounts->items[i].path);
		free(mounts->items[i].source);
		free(mounts->items[i].target);
	}
	free(mounts->items);
	memset(mounts, 0, sizeof(*mounts));
}

bool mount_shows_source(const struct mount *mount)
{
	return mount->fd >= 0 && mount->kind != MOUNT_EMPTY && mount->kind != MOUNT_HIDE_FILE &&
	       mount->kind != MOUNT_TEXT;
}

bool mount_is_read_only(int fd)
{
	struct statvfs fs;

	return fstatvfs(fd, &fs) == 0 && (fs.f_flag & ST_RDONLY);
}
