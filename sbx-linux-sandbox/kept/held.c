#include "kept/held.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "fs/fd_path.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool narrows(const struct mount *mount)
{
	return mount->fd >= 0 && !mount->passing && mount->kind != MOUNT_WRITE &&
	       mount->kind != MOUNT_DEVICE;
}

/* What is hidden in a read-only place could still be read; nothing can be made there. */
static bool is_protected(const struct mount *mount)
{
	if (!narrows(mount) || mount->path[1] == '\0')
		return false;
	return mount->around == ACCESS_WRITE ||
	       (!mount_shows_source(mount) && mount->around == ACCESS_READ);
}

/* Parents come before children, so that what lies below follows at once. */
static bool leads_to_protected(const struct mounts *mounts, size_t i)
{
	const char *path = mounts->items[i].path;

	while (++i < mounts->count) {
		const struct mount *mount = &mounts->items[i];

		/* A mask is sealed after what lies in it; /dev and /proc stand in no order. */
		if (mount->kind == MOUNT_SEAL || mount->fd < 0)
			continue;
		if (!path_contains(path, mount->path))
			return false;
		if (mount->around == ACCESS_WRITE && narrows(mount))
			return true;
	}
	return false;
}

struct passages {
	size_t *items;
	size_t count;
};

static int open_root(void)
{
	return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static bool is_directory_of(const struct held_name *name, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash == path ? 1 : (size_t)(slash - path);

	return name->passage && strlen(name->mount->path) == length &&
	       strncmp(name->mount->path, path, length) == 0;
}

/* Of the passages that are open, only those that lead to the path stay so. */
static size_t directory_of(const struct held *held, struct passages *open, const char *path)
{
	while (open->count > 0) {
		size_t last = open->items[open->count - 1];

		if (is_directory_of(&held->items[last], path))
			return last;
		if (path_contains(held->items[last].mount->path, path))
			break;
		open->count--;
	}
	return HELD_BY_ROOT;
}

/* What is larger is not the kind of file that says what is run. */
#define TEXT_MAX (1 << 20)

static char *read_text(const struct held_name *name, struct stat *st)
{
	char self[FD_PATH_MAX];
	cleanup_close int fd = -1;
	cleanup_free char *text = NULL;

	if (fstat(name->mount->fd, st) < 0 || !S_ISREG(st->st_mode) || st->st_size > TEXT_MAX)
		return NULL;
	fd = open(fd_path(name->mount->fd, self), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	text = fd < 0 ? NULL : xmalloc((size_t)st->st_size + 1);
	if (!text || read_full(fd, text, (size_t)st->st_size) != (ssize_t)st->st_size)
		return NULL;
	return keep_ptr(text);
}

bool held_is_rewritten(const struct held_name *name)
{
	cleanup_free char *text = NULL;
	struct stat st;

	if (!name->loose || !name->text)
		return false;
	text = read_text(name, &st);
	return !text || st.st_size != name->was.st_size ||
	       memcmp(text, name->text, (size_t)st.st_size) != 0;
}

static void add(struct held *held, struct passages *open, const struct mount *mount, bool passage)
{
	size_t directory = directory_of(held, open, mount->path);
	/* A root is nobody's name: only what it holds is protected. */
	bool root = passage && mount->around != ACCESS_WRITE;

	held->items = xrealloc_array(held->items, held->count + 1, sizeof(*held->items));
	held->items[held->count] = (struct held_name){
	        .mount = mount,
	        .name = strrchr(mount->path, '/') + 1,
	        .directory = mount->around == ACCESS_WRITE ? directory : HELD_BY_ROOT,
	        .compared = !root,
	        .passage = passage,
	        .open = mount->around == ACCESS_WRITE,
	};
	if (!passage && mount->around == ACCESS_WRITE)
		held->items[held->count].text =
		        read_text(&held->items[held->count], &held->items[held->count].was);
	if (passage) {
		list_add(open->items, open->count, held->count);
	}
	held->count++;
}

int held_begin(const struct mounts *mounts, struct held *held, struct error *err)
{
	struct passages open = {0};

	*held = (struct held){.root = open_root()};
	if (held->root < 0)
		return error_system(err, "opening /");
	for (size_t i = 0; i < mounts->count; i++) {
		const struct mount *mount = &mounts->items[i];
		bool passage = mount->fd >= 0 && !narrows(mount) && leads_to_protected(mounts, i);

		if (passage || is_protected(mount))
			add(held, &open, mount, passage);
	}
	free(open.items);
	return 0;
}

void held_free(struct held *held)
{
	if (held->root >= 0)
		close(held->root);
	for (size_t i = 0; i < held->count; i++)
		free(held->items[i].text);
	free(held->items);
	*held = (struct held){.root = -1};
}

static int find(const struct held *held, const struct held_name *name, int directory,
                struct stat *st)
{
	cleanup_close int fd = -1;

	if (name->directory != HELD_BY_ROOT)
		return fstatat(directory, name->name, st, AT_SYMLINK_NOFOLLOW);
	fd = path_open_beneath(held->root, name->mount->path + 1, O_PATH | O_NOFOLLOW);
	return fd < 0 ? -1 : fstat(fd, st);
}

int held_look(const struct held *held, const struct held_name *name, int directory, struct stat *st)
{
	if (find(held, name, directory, st) == 0)
		return st->st_dev == name->mount->dev && st->st_ino == name->mount->ino;
	st->st_mode = 0;
	/* A link where a directory was on the way: something else as well. */
	return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -1;
}

/* In the directory that held it at first. */
static int look_where_it_was(const struct held *held, const struct held_name *name, struct stat *st)
{
	int directory =
	        name->directory == HELD_BY_ROOT ? -1 : held->items[name->directory].mount->fd;

	return held_look(held, name, directory, st);
}

const struct held_name *held_changed(const struct held *held)
{
	struct stat st;

	for (size_t i = 0; i < held->count; i++)
		if (held->items[i].compared && look_where_it_was(held, &held->items[i], &st) == 0)
			return &held->items[i];
	return NULL;
}

const char *held_how(const struct held *held, const struct held_name *name)
{
	struct stat st;

	if (look_where_it_was(held, name, &st) != 0)
		return "removed and put back";
	return st.st_mode ? "replaced" : "removed or renamed";
}
