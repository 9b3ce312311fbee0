#include "process/close_on_exec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif
#define FD_DIRECTORY "/proc/self/fd"
#else
#define FD_DIRECTORY "/dev/fd"
#endif

static int mark(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Kernels before 5.11: name by name, which also finds those above any limit. */
static int each_listed(unsigned first, unsigned last, int (*act)(int))
{
	DIR *dir = opendir(FD_DIRECTORY);
	const struct dirent *entry;
	int failed = 0;

	if (!dir)
		return -1;
	while (!failed && (errno = 0, entry = readdir(dir)) != NULL) {
		unsigned long fd = strtoul(entry->d_name, NULL, 10);

		if (entry->d_name[0] != '.' && fd >= first && fd <= last && (int)fd != dirfd(dir) &&
		    act((int)fd) < 0 && errno != EBADF)
			failed = errno;
	}
	failed = failed ? failed : errno;
	closedir(dir);
	errno = failed;
	return failed ? -1 : 0;
}

int close_on_exec(unsigned first, unsigned last, struct error *err)
{
#ifdef __linux__
	if (syscall(SYS_close_range, first, last, CLOSE_RANGE_CLOEXEC) == 0)
		return 0;
#endif
	return each_listed(first, last, mark) < 0 ? error_system(err, "closing inherited files")
	                                          : 0;
}

int close_at_once(unsigned first, unsigned last, struct error *err)
{
#ifdef __linux__
	if (syscall(SYS_close_range, first, last, 0) == 0)
		return 0;
#endif
	return each_listed(first, last, close) < 0 ? error_system(err, "closing files") : 0;
}
