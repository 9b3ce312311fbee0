#include "broker/place.h"

#include "base/cleanup.h"
#include "broker/shared_memory.h"
#include "broker/walk.h"
#include "fs/fd_path.h"
#include "fs/path.h"
#include "fs/same_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void place_free(struct place *place)
{
	if (place->parent >= 0)
		close(place->parent);
	if (place->object >= 0)
		close(place->object);
	place->parent = place->object = -1;
}

int place_pin(const struct place *place)
{
	cleanup_close int fd = place->object >= 0 ? fcntl(place->object, F_DUPFD_CLOEXEC, 3)
	                                          : openat(place->parent, place->name,
	                                                   O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	return same_file(&st, &place->st) ? keep_fd(&fd) : -EAGAIN;
}

/* As the kernel writes it behind a name that is gone. */
static const char deleted[] = " (deleted)";

static bool says_deleted(const char *path)
{
	size_t len = strlen(path);

	return len >= sizeof(deleted) - 1 &&
	       strcmp(path + len - (sizeof(deleted) - 1), deleted) == 0;
}

void place_old_path(const struct place *place, char path[PATH_MAX])
{
	strcpy(path, place->path);
	if (says_deleted(path))
		path[strlen(path) - (sizeof(deleted) - 1)] = '\0';
}

/* The kernel's own file system for it is mounted nowhere, so that this is not in "/". */
static bool is_memory(const struct place *place)
{
	struct stat root;

	return place->nameless && strncmp(place->path, "/memfd:", strlen("/memfd:")) == 0 &&
	       stat("/", &root) == 0 && root.st_dev != place->st.st_dev;
}

int place_of_file(int fd, struct place *place)
{
	int got;

	place->object = fd;
	if (fstat(fd, &place->st) < 0)
		return -errno;
	place->exists = true;
	got = fd_name(fd, place->path);
	place->lost = got == 0 && says_deleted(place->path);
	place->nameless = place->lost && place->st.st_nlink == 0;
	place->memory = is_memory(place);
	return got;
}

/* The kernel walks, and goes through no link of a process. */
static int open_directory(int base, const char *path)
{
	struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
	                       .resolve = RESOLVE_NO_MAGICLINKS};
	int fd = (int)syscall(SYS_openat2, base, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

/* What the command calls so in /dev/shm is in a directory of its own. */
static int own_memory(const struct shared_memory *memory, struct place *place)
{
	if (!memory || !memory->path[0] || strcmp(place->directory, SHARED_MEMORY) != 0)
		return 0;
	close(place->parent);
	strcpy(place->directory, memory->path);
	place->parent = fcntl(memory->fd, F_DUPFD_CLOEXEC, 3);
	return place->parent < 0 ? -errno : 0;
}

/* The directory part of a path, pinned and named; 0 or -errno. */
static int find_parent(const struct asked *asked, int *base, const char *path, struct place *place)
{
	/* A name alone is in the directory that is pinned already. */
	int fd = path[0] ? open_directory(*base, path) : keep_fd(base), named = 0;

	if (fd >= 0)
		named = fd_name(fd, place->directory);
	/* "self" there was us. */
	if (fd == -ELOOP || fd == -ENOSYS ||
	    (fd == -ENOENT && strncmp(path, "/proc/", strlen("/proc/")) == 0) ||
	    (fd >= 0 && named == 0 && path[0] && path_contains("/proc", place->directory))) {
		if (fd >= 0)
			close(fd);
		place->walked = true;
		fd = walk_to_directory(asked, *base, path);
		named = fd < 0 ? 0 : fd_name(fd, place->directory);
	}
	if (fd < 0)
		return fd;
	place->parent = fd;
	return named < 0 ? named : own_memory(asked->memory, place);
}

/* Splits what is left into a directory and a name, which may be empty, "." or "..". */
static int split(char *text, struct place *place, char **directory)
{
	size_t len = strlen(text);
	char *slash;

	place->slash = len > 1 && text[len - 1] == '/';
	while (len > 1 && text[len - 1] == '/')
		text[--len] = '\0';
	slash = strrchr(text, '/');
	if (strlen(slash ? slash + 1 : text) > NAME_MAX)
		return -ENAMETOOLONG;
	strcpy(place->name, slash ? slash + 1 : text);
	*directory = slash ? text : text + len;
	if (slash)
		slash[slash == text] = '\0';
	return 0;
}

static bool is_no_name(const char *name)
{
	return name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* The parent is known.  1: a link whose text is to be walked next. */
static int look_at_name(const struct asked *asked, enum follow follow, struct place *place)
{
	size_t head = place->directory[1] ? strlen(place->directory) : 0;
	int fd;

	if (is_no_name(place->name)) {
		fd = openat(place->parent, place->name[0] ? place->name : ".", O_PATH | O_CLOEXEC);
		return fd < 0 ? -errno : place_of_file(fd, place);
	}
	fd = follow == FOLLOW ? walk_name_self(asked, place->directory, place->name) : 0;
	if (fd < 0)
		return fd;
	if (head + 1 + strlen(place->name) >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(place->path, place->directory, head);
	place->path[head] = '/';
	strcpy(place->path + head + 1, place->name);
	if (fstatat(place->parent, place->name, &place->st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	place->exists = true;
	if (!S_ISLNK(place->st.st_mode) || follow == FOLLOW_NAME ||
	    (follow == FOLLOW_NOT && !place->slash))
		return 0;
	fd = walk_open_magic(asked, place->parent, place->directory, place->name);
	if (fd == WALK_NO_MAGIC)
		return 1;
	place->walked = true;
	return fd < 0 ? fd : place_of_file(fd, place);
}

/* The text of the link is what is left to walk, from the directory it is in. */
static int follow_link(struct place *place, int *base, char text[PATH_MAX])
{
	bool slash = place->slash, walked = place->walked;
	ssize_t n;

	if (!walk_may_follow(place->parent, &place->st))
		return -EACCES;
	n = readlinkat(place->parent, place->name, text, PATH_MAX - 1);
	if (n <= 0 || n >= PATH_MAX - 2)
		return n < 0 ? -errno : n == 0 ? -ENOENT : -ENAMETOOLONG;
	text[n] = '\0';
	if (slash)
		strcpy(text + n, "/");
	if (*base >= 0)
		close(*base);
	*base = place->parent;
	*place = (struct place)PLACE_NONE;
	place->walked = walked;
	return 0;
}

static int find(const struct asked *asked, int *base, char text[PATH_MAX], enum follow follow,
                struct place *place)
{
	for (int links = 0; links <= WALK_LINKS_MAX; links++) {
		char *directory;
		int got = split(text, place, &directory);

		if (got == 0)
			got = find_parent(asked, base, directory, place);
		if (got == 0)
			got = look_at_name(asked, follow, place);
		if (got == 1)
			got = follow_link(place, base, text);
		else
			return got;
		if (got < 0)
			return got;
	}
	return -ELOOP;
}

int place_find(const struct asked *asked, int base, const char *path, enum follow follow,
               struct place *place)
{
	cleanup_close int from = base;
	char text[PATH_MAX];
	int got;

	if (!path[0])
		return -ENOENT;
	strcpy(text, path);
	got = find(asked, &from, text, follow, place);
	if (got < 0)
		return got;
	if (place->slash && place->object < 0)
		strcat(place->name, "/");
	/* Links of a process were its own. */
	return !place->walked || asked_still(asked) ? 0 : -ESRCH;
}
