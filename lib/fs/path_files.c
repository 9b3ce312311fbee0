/*
 * Which file does a path mean, and how is it opened without leaving a
 * directory?
 */
#include "fs/path.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

char *path_canonical(const char *path, struct error *err)
{
	cleanup_free char *known = NULL;
	size_t cut;

	if (path[0] != '/') {
		error_set(err, EXIT_INPUT, "relative-path", "\"%s\": not an absolute path", path);
		return NULL;
	}
	known = realpath(path, NULL);
	if (known)
		return keep_ptr(known);
	/*
	 * Resolve the longest part that exists.  What follows must be plain
	 * names: ".." behind a missing component has no meaning that a later
	 * mkdir() could not change.
	 */
	for (cut = strlen(path); errno == ENOENT && cut > 0;) {
		cleanup_free char *head = NULL;
		struct stat st;

		while (cut > 0 && path[cut - 1] == '/')
			cut--;
		while (cut > 0 && path[cut - 1] != '/')
			cut--;
		head = cut ? xstrndup(path, cut) : xstrdup("/");
		known = realpath(head, NULL);
		if (known) {
			cleanup_free char *rest = xasprintf("/%s", path + cut);
			cleanup_free char *out = path_join(known, path + cut);

			/* A dangling link is there: its target is what gets created. */
			if (path_steps_back(rest) || lstat(out, &st) == 0 || errno != ENOENT) {
				errno = ELOOP;
				break;
			}
			return keep_ptr(out);
		}
	}
	error_set(err, EXIT_INPUT, "bad-path", "\"%s\": %s", path, strerror(errno));
	return NULL;
}

#ifdef __linux__
static int open_beneath_openat2(int root, const char *path, int flags)
{
	struct open_how how = {
	        .flags = (unsigned)flags,
	        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}
#else
static int open_beneath_openat2(int root, const char *path, int flags)
{
	(void)root, (void)path, (void)flags;
	errno = ENOSYS;
	return -1;
}
#endif

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

static bool is_link(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISLNK(st.st_mode);
}

static int open_beneath_walk(int root, const char *path, int flags)
{
	cleanup_free char *copy = xstrdup(path);
	cleanup_close int dir = -1;
	char *name = copy;

	for (;;) {
		size_t len = strcspn(name, "/");
		bool last = name[len] == '\0' || name[len + strspn(name + len, "/")] == '\0';
		int fd;

		if (len == 2 && name[0] == '.' && name[1] == '.') {
			errno = EXDEV;
			return -1;
		}
		name[len] = '\0';
		fd = openat(dir < 0 ? root : dir, len ? name : ".",
		            (last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC) | O_NOFOLLOW);
		if (fd < 0)
			return -1;
		if (last && !(flags & O_NOFOLLOW) && is_link(fd)) {
			close(fd);
			errno = ELOOP;
			return -1;
		}
		if (last)
			return fd;
		if (dir >= 0)
			close(dir);
		dir = fd;
		name += len + 1;
		name += strspn(name, "/");
	}
}

int path_open_beneath(int root, const char *path, int flags)
{
	int fd;

	if (path[0] == '/') {
		errno = EXDEV;
		return -1;
	}
	fd = open_beneath_openat2(root, path[0] ? path : ".", flags | O_CLOEXEC);
	/* Filters answer EPERM as well as ENOSYS; the walk has its own checks. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = open_beneath_walk(root, path, flags | O_CLOEXEC);
	return fd;
}
