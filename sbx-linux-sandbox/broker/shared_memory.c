#include "broker/shared_memory.h"

#include "base/cleanup.h"
#include "fs/same_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "sbx-shm."

/* Each is lost to a run that begins at that very moment. */
#define TRIES 1000

static bool is_named(const struct permissions *permissions)
{
	return permissions_find(permissions, SHARED_MEMORY) ||
	       permissions_below(permissions, SHARED_MEMORY) ||
	       permissions_resolve(permissions, SHARED_MEMORY, NULL) != ACCESS_READ;
}

/* Names alone: nobody but the broker makes any, and it makes no deeper ones. */
static void empty(int fd)
{
	cleanup_close int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = again < 0 ? NULL : fdopendir(again);
	const struct dirent *entry;

	if (!directory)
		return;
	again = -1;
	while ((entry = readdir(directory)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    unlinkat(fd, entry->d_name, 0) < 0)
			unlinkat(fd, entry->d_name, AT_REMOVEDIR);
	closedir(directory);
}

/* What a killed run has left: nobody holds it. */
static void remove_stale(int place, const char *name)
{
	cleanup_close int fd = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_uid != geteuid() ||
	    flock(fd, LOCK_EX | LOCK_NB) < 0)
		return;
	empty(fd);
	unlinkat(place, name, AT_REMOVEDIR);
}

static void remove_all_stale(void)
{
	DIR *place = opendir(SHARED_MEMORY);
	const struct dirent *entry;

	while (place && (entry = readdir(place)) != NULL)
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0)
			remove_stale(dirfd(place), entry->d_name);
	if (place)
		closedir(place);
}

/*
 * Before it is locked, another run takes it for one that was left: true, and another name is
 * worth trying.
 */
static bool make_once(struct shared_memory *memory)
{
	snprintf(memory->path, sizeof(memory->path), "%s/%sXXXXXX", SHARED_MEMORY, PREFIX);
	if (!mkdtemp(memory->path)) {
		memory->path[0] = '\0';
		return false;
	}
	memory->fd = open(memory->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (memory->fd < 0)
		return errno == ENOENT;
	if (flock(memory->fd, LOCK_EX | LOCK_NB) == 0 &&
	    is_still_named(memory->fd, AT_FDCWD, memory->path))
		return false;
	close(memory->fd);
	memory->fd = -1;
	return true;
}

int shared_memory_make(struct shared_memory *memory, struct permissions *permissions,
                       struct error *err)
{
	struct stat st;
	int tries = 0;

	if (is_named(permissions) || lstat(SHARED_MEMORY, &st) < 0 || !S_ISDIR(st.st_mode) ||
	    access(SHARED_MEMORY, W_OK) < 0)
		return 0;
	remove_all_stale();
	memory->fd = -1;
	while (make_once(memory) && ++tries < TRIES)
		;
	if (memory->fd < 0)
		return error_system(err, "making a directory in \"%s\"", SHARED_MEMORY);
	permissions_add(permissions, memory->path, ACCESS_WRITE);
	return 0;
}

void shared_memory_remove(struct shared_memory *memory)
{
	if (!memory->path[0])
		return;
	if (memory->fd >= 0) {
		empty(memory->fd);
		close(memory->fd);
	}
	rmdir(memory->path);
	memory->path[0] = '\0';
}
