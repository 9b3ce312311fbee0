#include "tmp/mount_points.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "kept/put_aside.h"
#include "policy/slash_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int make(int parent, const char *name, bool directory)
{
	cleanup_close int fd = -1;

	if (directory)
		return mkdirat(parent, name, 0700);
	fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd < 0 ? -1 : 0;
}

static bool is_wanted(const struct stat *st, bool directory)
{
	return (directory ? S_ISDIR(st->st_mode) : S_ISREG(st->st_mode)) && st->st_uid == geteuid();
}

/* O_PATH; other commands may be at work in the same directory, so more than once. */
static int step(int parent, const char *name, bool directory)
{
	for (int i = 0; i < 20; i++) {
		cleanup_close int fd = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		struct reopened_directory opened;
		char aside[NAME_MAX + 1];
		struct stat st;
		int done;

		if (fd < 0 && errno != ENOENT)
			return -1;
		if (fd >= 0 && fstat(fd, &st) < 0)
			return -1;
		if (fd >= 0 && is_wanted(&st, directory))
			return directory && directory_open_up(&opened, fd) < 0 ? -1 : keep_fd(&fd);
		done = fd < 0 ? make(parent, name, directory)
		              : put_aside(parent, name, NULL, aside);
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

const char *view_private(const struct view *view, const char *path)
{
	const char *rest;

	if (!view->tmp || !path_contains(view->tmp, path) ||
	    !tmp_decides(view->permissions, view->tmp, path))
		return NULL;
	rest = path + strlen(view->tmp);
	return *rest ? rest + 1 : ".";
}
