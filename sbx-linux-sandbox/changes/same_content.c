#include "changes/same_content.h"

#include "base/cleanup.h"
#include "base/read_full.h"
#include "changes/own_attributes.h"
#include "fs/fd_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

int same_bytes(int a, int b)
{
	static char left[1 << 16], right[1 << 16];

	for (;;) {
		ssize_t n = read_full(a, left, sizeof(left)),
		        m = read_full(b, right, sizeof(right));

		if (n < 0 || m < 0)
			return -1;
		if (n != m || memcmp(left, right, (size_t)n) != 0)
			return 0;
		if (n == 0)
			return 1;
	}
}

/* What its owner closed has its mode back at once. */
int open_to_read(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	cleanup_close int path = -1;
	char self[FD_PATH_MAX];
	struct stat st;

	if (fd >= 0 || errno != EACCES)
		return fd;
	path = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (path < 0 || fstat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
	    fd_chmod(path, (st.st_mode & 07777) | S_IRUSR) < 0)
		return -1;
	fd = open(fd_path(path, self), O_RDONLY | O_CLOEXEC);
	return fd_chmod(path, st.st_mode & 07777) < 0 ? -1 : fd;
}

static int same_target(int a, int b, const char *name)
{
	char left[PATH_MAX], right[PATH_MAX];
	ssize_t n = readlinkat(a, name, left, sizeof(left));
	ssize_t m = readlinkat(b, name, right, sizeof(right));

	if (n < 0 || m < 0)
		return -1;
	return n == m && memcmp(left, right, (size_t)n) == 0;
}

bool is_binary(int fd)
{
	char head[8000];
	ssize_t n = pread(fd, head, sizeof(head), 0);

	return n > 0 && memchr(head, '\0', (size_t)n);
}

/* All of the first are there in the second, with the same in them; how many. */
static int among(int a, int b)
{
	static char names[65536], left[65536], right[65536];
	ssize_t len = flistxattr(a, names, sizeof(names));
	int count = 0;

	for (ssize_t at = 0; at < len; at += (ssize_t)strlen(names + at) + 1) {
		ssize_t n, m;

		if (!is_own_attribute(names + at))
			continue;
		n = fgetxattr(a, names + at, left, sizeof(left));
		m = fgetxattr(b, names + at, right, sizeof(right));
		if (n != m || (n > 0 && memcmp(left, right, (size_t)n) != 0))
			return -1;
		count++;
	}
	return count;
}

static bool same_attributes(int a, int b)
{
	int count = among(a, b);

	return count >= 0 && among(b, a) == count;
}

int same_content(int a, int b, const char *name, const struct stat *of_a, const struct stat *of_b)
{
	cleanup_close int left = -1, right = -1;

	if (S_ISLNK(of_a->st_mode))
		return same_target(a, b, name);
	if (S_ISCHR(of_a->st_mode) || S_ISBLK(of_a->st_mode))
		return of_a->st_rdev == of_b->st_rdev;
	if (!S_ISREG(of_a->st_mode))
		return 1;
	if (of_a->st_size != of_b->st_size)
		return 0;
	/* The host's is left as it is: what cannot be read is taken to be another one. */
	left = openat(a, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (left < 0 && errno == EACCES)
		return 0;
	right = open_to_read(b, name);
	if (left < 0 || right < 0)
		return -1;
	return same_attributes(left, right) ? same_bytes(left, right) : 0;
}
