#include "patch/beside.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/write_full.h"
#include "fs/path.h"
#include "patch/plan.h"
#include "process/this_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

int beside_open(const char *directory)
{
	cleanup_close int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (root < 0 || strcmp(directory, "/") == 0)
		return keep_fd(&root);
	return path_open_beneath(root, directory + 1, O_PATH | O_DIRECTORY | O_NOFOLLOW);
}

const char *beside_why(int number)
{
	return number == ELOOP || number == ENOTDIR ? "a symbolic link or a file is in the way"
	                                            : strerror(number);
}

/* The directory that holds it. */
static int open_parent(const char *path)
{
	cleanup_free char *parent = path_parent(path);

	return beside_open(parent);
}

static const char *name_in(const char *path)
{
	return strrchr(path, '/') + 1;
}

int beside_make_directory(const char *path)
{
	cleanup_close int parent = open_parent(path);

	return parent < 0 ? -1 : mkdirat(parent, name_in(path), 0777);
}

void beside_remove_directory(const char *path)
{
	cleanup_close int parent = open_parent(path);

	/* One that somebody uses by now is not empty, and stays. */
	if (parent >= 0)
		unlinkat(parent, name_in(path), AT_REMOVEDIR);
}

int beside_digest(int parent, const char *name, char text[SHA256_TEXT_SIZE])
{
	cleanup_close int fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char buffer[1 << 16];
	struct sha256 sha;
	ssize_t n = -1;

	if (fd < 0)
		return -1;
	sha256_begin(&sha);
	while ((n = read(fd, buffer, sizeof(buffer))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		sha256_add(&sha, buffer, (size_t)n);
	}
	sha256_end(&sha, text);
	return 0;
}

static int copy(int from, int to, uint64_t len)
{
	char buffer[1 << 16];

	while (len > 0) {
		size_t some = len < sizeof(buffer) ? (size_t)len : sizeof(buffer);

		if (plan_receive(from, buffer, some) < 0 || write_full(to, buffer, some) < 0)
			return -1;
		len -= some;
	}
	return 0;
}

/* The owner first: changing it takes bits away.  A mode is a part of the list of access. */
static int make_like(int fd, int like)
{
	struct stat st, was;

	if (like < 0)
		return 0;
	if (fstat(fd, &st) < 0 || fstat(like, &was) < 0)
		return -1;
	if ((st.st_uid != was.st_uid || st.st_gid != was.st_gid) &&
	    fchown(fd, st.st_uid == was.st_uid ? (uid_t)-1 : was.st_uid, was.st_gid) < 0 &&
	    geteuid() == 0)
		return -1;
	return kernel_same_attributes(like, fd) < 0 ? -1 : fchmod(fd, was.st_mode & 01777);
}

int beside_write(int parent, const char *temp, int like, int from, uint64_t len, bool sync,
                 struct stat *st)
{
	cleanup_close int fd =
	        openat(parent, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	               like < 0 ? 0666 : 0600);
	int saved;

	if (fd < 0)
		return -1;
	if (copy(from, fd, len) == 0 && make_like(fd, like) == 0 && (!sync || fsync(fd) == 0) &&
	    fstat(fd, st) == 0)
		return 0;
	saved = errno;
	unlinkat(parent, temp, 0);
	errno = saved;
	return -1;
}

static void old_name(const char *temp, char old[300])
{
	snprintf(old, 300, "%s.old", temp);
}

/* Where names cannot be exchanged, the old file has a second one while it happens. */
static int replace(int parent, const char *name, const char *temp)
{
	char old[300];

	old_name(temp, old);
	if (linkat(parent, name, parent, old, 0) < 0)
		return -1;
	return renameat(parent, temp, parent, name) < 0 ? -1 : renameat(parent, old, parent, temp);
}

int beside_change(int parent, const char *name, const char *temp, bool writes, bool existed)
{
	if (!writes)
		return renameat(parent, name, parent, temp);
	if (!existed)
		return kernel_rename_new(parent, temp, name);
	if (kernel_exchange(parent, temp, name) == 0)
		return 0;
	return errno == ENOSYS || errno == EINVAL || errno == ENOTSUP ? replace(parent, name, temp)
	                                                              : -1;
}

static ino_t inode(int parent, const char *name)
{
	struct stat st;

	return fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_ino : 0;
}

/* Puts the old file back from where it is; `now`: what has its name. */
static void put_back(int parent, const char *path, const char *from, ino_t now, ino_t written)
{
	const char *name = name_in(path);
	bool free_name = now == 0;

	if ((free_name || (written && now == written)) && renameat(parent, from, parent, name) == 0)
		return;
	complain("\"%s\": what it was before the patch is beside it, called \"%s\"", path, from);
}

void beside_undo(const char *path, const char *temp, ino_t written, ino_t old)
{
	cleanup_close int parent = open_parent(path);
	const char *name = parent < 0 ? NULL : name_in(path);
	ino_t now = parent < 0 ? 0 : inode(parent, name);
	char second[300];

	if (parent < 0)
		return;
	old_name(temp, second);
	if (old && now != old && inode(parent, temp) == old)
		put_back(parent, path, temp, now, written);
	else if (old && now != old && inode(parent, second) == old)
		put_back(parent, path, second, now, written);
	else if (!old && written && now == written)
		unlinkat(parent, name, 0);
	if (written && inode(parent, temp) == written)
		unlinkat(parent, temp, 0);
	/* A second name of the file that stands where it was. */
	if (old && inode(parent, name) == old && inode(parent, second) == old)
		unlinkat(parent, second, 0);
}

void beside_remove(const char *path, const char *temp)
{
	cleanup_close int parent = open_parent(path);
	char second[300];

	if (parent < 0)
		return;
	old_name(temp, second);
	unlinkat(parent, temp, 0);
	unlinkat(parent, second, 0);
}
