#include "reread.h"

#include "cleanup.h"
#include "memory.h"
#include "osstring.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void add(json_t *files, int fd)
{
	int flags = fcntl(fd, F_GETFL);
	char name[32], path[PATH_MAX];
	struct stat st;
	ssize_t n;

	/* What was given to be written is the command's; what has no name is nobody else's. */
	if (flags >= 0 && fstat(fd, &st) == 0 &&
	    ((flags & O_ACCMODE) != O_RDONLY || st.st_nlink == 0 ||
	     !(S_ISREG(st.st_mode) || S_ISBLK(st.st_mode))))
		return;
	/* What cannot be looked at has no path, and is refused where this matters. */
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	json_array_append_new(files, xjson(json_pack("[i,o]", fd, os_string(path))));
}

json_t *reread_json(const struct request *request)
{
	json_t *files = xjson(json_array());

	for (int fd = 0; fd <= 2; fd++)
		add(files, fd);
	for (size_t i = 0; i < request->keep_count; i++)
		add(files, request->keep_fds[i]);
	return files;
}

static bool is_same(int a, int b)
{
	struct stat one, other;

	return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

int reread(const json_t *files, struct error *err)
{
	size_t i;
	json_t *row;

	json_array_foreach (files, i, row) {
		int fd = (int)json_integer_value(json_array_get(row, 0));
		cleanup_free char *path = os_string_get(json_array_get(row, 1), "plan", err);
		cleanup_close int again =
		        path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
		             : -1;
		off_t at = lseek(fd, 0, SEEK_CUR);

		if (!path)
			return -1;
		if (again < 0 || !is_same(fd, again))
			return error_set(err, EXIT_INPUT, "bad-descriptor",
			                 "fd %d: \"%s\" cannot be kept read-only without Landlock: "
			                 "give it through a pipe",
			                 fd, path);
		if (at < 0 || lseek(again, at, SEEK_SET) < 0 || dup2(again, fd) < 0)
			return error_system(err, "fd %d", fd);
	}
	return 0;
}
