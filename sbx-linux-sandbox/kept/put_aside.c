#include "kept/put_aside.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/fd_path.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ".sbx-" and eight digits */
#define SUFFIX_LENGTH 13

/* Random: the command may have taken the names that it can guess. */
static int invent_name(const char *name, char aside[NAME_MAX + 1])
{
	unsigned number;

	if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		return -1;
	snprintf(aside, NAME_MAX + 1, "%.*s.sbx-%08x", NAME_MAX - SUFFIX_LENGTH, name, number);
	return 0;
}

/* Where a file system cannot do it: onto a directory made for it, or by a second name first. */
static int rename_by_hand(int directory, const char *name, const char *aside)
{
	struct stat st;

	if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return mkdirat(directory, aside, 0700) < 0
		               ? -1
		               : renameat(directory, name, directory, aside);
	return linkat(directory, name, directory, aside, 0) < 0 ? -1 : unlinkat(directory, name, 0);
}

static int rename_to(int directory, const char *name, const char *aside)
{
	long done;

	do
		done = syscall(SYS_renameat2, directory, name, directory, aside, RENAME_NOREPLACE);
	while (done < 0 && errno == EINTR);
	if (done == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	return rename_by_hand(directory, name, aside);
}

static int rename_aside(int directory, const char *name, const char *first,
                        char aside[NAME_MAX + 1])
{
	if (first) {
		snprintf(aside, NAME_MAX + 1, "%s", first);
		if (rename_to(directory, name, aside) == 0)
			return 0;
		if (errno != EEXIST)
			return -1;
	}
	do {
		if (invent_name(name, aside) < 0)
			return -1;
		if (rename_to(directory, name, aside) == 0)
			return 0;
	} while (errno == EEXIST);
	return -1;
}

int put_aside(int directory, const char *name, const char *first, char aside[NAME_MAX + 1])
{
	struct reopened_directory opened;
	int result = rename_aside(directory, name, first, aside);

	if (result == 0 || errno != EACCES)
		return result;
	if (directory_open_up(&opened, directory) < 0)
		return -1;
	result = rename_aside(directory, name, first, aside);
	directory_close_again(&opened);
	return result;
}

int put_aside_below(int directory, const char *path, char aside[NAME_MAX + 1])
{
	cleanup_free char *parent = xstrdup(path);
	char *slash = strrchr(parent, '/');
	cleanup_close int fd = -1;

	if (slash)
		*slash = '\0';
	fd = path_open_beneath(directory, slash ? parent : ".", O_PATH | O_DIRECTORY);
	return fd < 0 ? -1 : put_aside(fd, slash ? slash + 1 : path, NULL, aside);
}

int directory_open_up(struct reopened_directory *directory, int fd)
{
	struct stat st;

	*directory = (struct reopened_directory){.fd = fd};
	if (fstat(fd, &st) < 0)
		return -1;
	directory->mode = st.st_mode & 07777;
	if ((st.st_mode & S_IRWXU) == S_IRWXU)
		return 0;
	if (fd_chmod(fd, directory->mode | S_IRWXU) < 0)
		return -1;
	directory->changed = true;
	return 0;
}

void directory_close_again(const struct reopened_directory *directory)
{
	int number = errno;

	/* Too open rather than lost; what it holds is for its owner alone. */
	if (directory->changed && fd_chmod(directory->fd, directory->mode) < 0)
		number = errno;
	errno = number;
}

int directory_open_to_list(int fd)
{
	struct reopened_directory opened;
	char self[FD_PATH_MAX];

	if (directory_open_up(&opened, fd) < 0)
		return -1;
	return open(fd_path(fd, self), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}
