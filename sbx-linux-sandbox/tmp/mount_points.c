#include "tmp/mount_points.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

static int make(int parent, const char *name, bool directory)
{
	cleanup_close int fd = -1;

	if (directory)
		return mkdirat(parent, name, 0700);
	fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd < 0 ? -1 : 0;
}

static int put_aside(int parent, const char *name)
{
	char other[40];
	uint64_t chance;

	if (getrandom(&chance, sizeof(chance), 0) != (ssize_t)sizeof(chance))
		return -1;
	snprintf(other, sizeof(other), ".sbx-aside-%016llx", (unsigned long long)chance);
	return (int)syscall(SYS_renameat2, parent, name, parent, other, RENAME_NOREPLACE);
}

static bool is_wanted(const struct stat *st, bool directory)
{
	return (directory ? S_ISDIR(st->st_mode) : S_ISREG(st->st_mode)) && st->st_uid == geteuid();
}

/* Its owner can always open it again. */
static int unclose(int fd, const struct stat *st)
{
	char self[32];

	if ((st->st_mode & 0700) == 0700 || !S_ISDIR(st->st_mode))
		return 0;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return chmod(self, (st->st_mode & 07777) | 0700);
}

/* O_PATH; other commands may be at work in the same directory, so more than once. */
static int step(int parent, const char *name, bool directory)
{
	for (int i = 0; i < 20; i++) {
		cleanup_close int fd = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		struct stat st;
		int done;

		if (fd < 0 && errno != ENOENT)
			return -1;
		if (fd >= 0 && fstat(fd, &st) < 0)
			return -1;
		if (fd >= 0 && is_wanted(&st, directory))
			return unclose(fd, &st) < 0 ? -1 : keep_fd(&fd);
		done = fd < 0 ? make(parent, name, directory) : put_aside(parent, name);
		if (done < 0 && errno != EEXIST && errno != ENOENT)
			return -1;
	}
	errno = EBUSY;
	return -1;
}

int mount_point_make(const struct private_tmp *tmp, const char *path, bool directory,
                     struct error *err)
{
	cleanup_free char *rest = xstrdup(path + strlen(tmp->at) + 1);
	cleanup_close int at = fcntl(tmp->fd, F_DUPFD_CLOEXEC, 3);

	for (char *name = rest; at >= 0 && name;) {
		char *slash = strchr(name, '/');
		int next;

		if (slash)
			*slash = '\0';
		next = step(at, name, slash || directory);
		if (next < 0)
			break;
		close(at);
		at = next;
		name = slash ? slash + 1 : NULL;
		if (!name)
			return 0;
	}
	return error_system(err, "making a place for \"%s\" in the private /tmp", path);
}
