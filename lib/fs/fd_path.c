#include "fs/fd_path.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

const char *fd_path(int fd, char path[FD_PATH_MAX])
{
	snprintf(path, FD_PATH_MAX, "/proc/self/fd/%d", fd);
	return path;
}

int fd_name(int fd, char name[PATH_MAX])
{
	char path[FD_PATH_MAX];
	ssize_t n = readlink(fd_path(fd, path), name, PATH_MAX - 1);

	name[n > 0 && n < PATH_MAX - 1 ? n : 0] = '\0';
	return n < 0 ? -errno : n >= PATH_MAX - 1 ? -ENAMETOOLONG : 0;
}

int fd_chmod(int fd, mode_t mode)
{
	char path[FD_PATH_MAX];

	return chmod(fd_path(fd, path), mode);
}
