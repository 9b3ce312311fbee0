#include "limits/unmapped_memory.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "limits/thread_parts.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* Of all processes together, in one look. */
#define DESCRIPTORS_MAX 131072

static bool is_new(struct unmapped_memory *memory, ino_t number)
{
	for (size_t i = 0; i < memory->count; i++)
		if (memory->seen[i] == number)
			return false;
	list_add(memory->seen, memory->count, number);
	return true;
}

static bool is_memory_file(int fds, const char *name)
{
	static const char mark[] = "/memfd:";
	char target[sizeof(mark)];
	ssize_t n = readlinkat(fds, name, target, sizeof(target));

	return n >= (ssize_t)sizeof(mark) - 1 && strncmp(target, mark, sizeof(mark) - 1) == 0;
}

static void add_descriptors(void *context, pid_t thread)
{
	struct unmapped_memory *memory = context;
	const struct dirent *entry;
	char path[32];
	struct stat st;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)thread);
	dir = opendir(path);
	while (dir && memory->looked < DESCRIPTORS_MAX && (entry = readdir(dir)) != NULL) {
		memory->looked++;
		if (is_memory_file(dirfd(dir), entry->d_name) &&
		    fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && is_new(memory, st.st_ino))
			memory->bytes += (int64_t)st.st_blocks * 512;
	}
	if (dir)
		closedir(dir);
}

/* As the kernel itself reckons for tmpfs. */
#define INODE_BYTES 1024

static void add_shm(struct unmapped_memory *memory, pid_t pid)
{
	struct stat own, st;
	struct statvfs vfs;
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/root/dev/shm", (int)pid);
	if (stat(path, &st) < 0 || st.st_dev == memory->shm ||
	    (stat("/dev/shm", &own) == 0 && own.st_dev == st.st_dev) || statvfs(path, &vfs) < 0)
		return;
	memory->shm = st.st_dev;
	/* A file has a part that is in no block. */
	memory->bytes += (int64_t)(vfs.f_blocks - vfs.f_bfree) * (int64_t)vfs.f_frsize +
	                 (int64_t)(vfs.f_files - vfs.f_ffree) * INODE_BYTES;
}

void unmapped_memory_add(struct unmapped_memory *memory, pid_t process, pid_t alive,
                         int64_t threads)
{
	add_descriptors(memory, alive);
	if (threads > 1)
		threads_apart(process, alive, add_descriptors, memory);
	if (!memory->shm)
		add_shm(memory, alive);
}

void unmapped_memory_free(struct unmapped_memory *memory)
{
	free(memory->seen);
}
