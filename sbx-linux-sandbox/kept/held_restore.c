#include "kept/held_restore.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "fs/fd_path.h"
#include "kept/put_aside.h"
#include "kept/stubs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- what it was ---------------------------------------------------------- */

static int write_text(int fd, const struct held_name *held)
{
	size_t size = (size_t)held->was.st_size;

	for (size_t done = 0; done < size;) {
		ssize_t n = write(fd, held->text + done, size - done);

		if (n < 0 && errno != EINTR)
			return -1;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int fill(int fd, const struct held_name *held)
{
	const struct stat *was = &held->was;
	const struct timespec times[2] = {was->st_atim, was->st_mtim};

	if (write_text(fd, held) < 0)
		return -1;
	/* The owner before the mode, which a change of owner would cut.  Private rather than lost.
	 */
	if ((was->st_uid != geteuid() || was->st_gid != getegid()) &&
	    fchown(fd, was->st_uid, was->st_gid) < 0)
		errno = 0;
	if (fchmod(fd, was->st_mode & 07777) < 0 || futimens(fd, times) < 0)
		errno = 0;
	return 0;
}

/* Without a name until it is whole; a name that somebody took meanwhile is not overwritten. */
static int bring_back_file(int directory, const struct held_name *held)
{
	char self[FD_PATH_MAX];
	cleanup_close int fd = openat(directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
		fd = openat(directory, held->name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
		return fd < 0 ? -1 : fill(fd, held);
	}
	if (fd < 0 || fill(fd, held) < 0)
		return -1;
	return linkat(AT_FDCWD, fd_path(fd, self), directory, held->name, AT_SYMLINK_FOLLOW);
}

static int bring_back_link(int directory, const struct held_name *held)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(held->mount->fd, "", target, sizeof(target) - 1);

	if (n < 0)
		return -1;
	target[n] = '\0';
	return symlinkat(target, directory, held->name);
}

/* 1: back; 0: not something that can be, or it only moved; -1 with errno. */
static int bring_back(int directory, const struct held_name *held, bool taken)
{
	struct stat st;
	int done;

	if (fstat(held->mount->fd, &st) < 0)
		return -1;
	/* Somebody gave it another name, and nothing came in its place. */
	if (!taken && st.st_nlink > 0)
		return 0;
	if (held->text && !stub_has_mark(held->name, &st))
		done = bring_back_file(directory, held);
	else if (S_ISLNK(st.st_mode))
		done = bring_back_link(directory, held);
	else
		return 0;
	return done < 0 ? -1 : 1;
}

/* ---- what it is now ------------------------------------------------------- */

/*
 * Who rewrites a file as git does, under NAME.lock, may have read what the
 * command wrote, and would put it in force after us.  One that stays locked
 * is rewritten by nobody.
 */
static bool lock(int directory, const char *name, char file[NAME_MAX + 1])
{
	const struct timespec moment = {.tv_nsec = 1000000};

	if (snprintf(file, NAME_MAX + 1, "%s.lock", name) > NAME_MAX)
		return false;
	for (int i = 0; i < 500; i++) {
		int fd = openat(directory, file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

		if (fd >= 0) {
			close(fd);
			return true;
		}
		if (errno != EEXIST)
			return false;
		nanosleep(&moment, NULL);
	}
	return false;
}

static void restore(int directory, const struct held_name *held, bool taken)
{
	const char *path = held->mount->path;
	char aside[NAME_MAX + 1];
	int back;

	if (taken && put_aside(directory, held->name, NULL, aside) < 0) {
		complain("\"%s\" was replaced during the run, perhaps by the command: review it "
		         "before you use it (renaming it: %s)",
		         path, strerror(errno));
		return;
	}
	back = bring_back(directory, held, taken);
	if (back < 0)
		complain("\"%s\" was replaced during the run and could not be restored: %s", path,
		         strerror(errno));
	if (taken)
		complain("\"%s\" was replaced during the run, perhaps by the command: the new one "
		         "was renamed to %s%s",
		         path, aside, back > 0 ? ", and the old one is back" : "");
	else if (back > 0)
		complain("\"%s\" was removed during the run, perhaps by the command: it is back",
		         path);
}

static void restore_locked(const struct held *held, const struct held_name *name, int directory)
{
	char file[NAME_MAX + 1];
	bool locked = name->text && lock(directory, name->name, file);
	struct stat st;
	int same = held_look(held, name, directory, &st);

	/* Another run may have begun there: without its stub it would hold nothing. */
	if ((same == 0 && !stub_is_empty(directory, name->name, &st)) ||
	    (same > 0 && held_is_rewritten(name)))
		restore(directory, name, st.st_mode != 0);
	if (locked && unlinkat(directory, file, 0) < 0)
		complain("\"%s\": could not remove %s: %s", name->mount->path, file,
		         strerror(errno));
}

/* The next directory on the way, or -1. */
static int judge(const struct held *held, const struct held_name *name, int directory)
{
	struct stat st;
	int same = held_look(held, name, directory, &st);

	if (same > 0 && !held_is_rewritten(name))
		return name->mount->fd;
	if (same < 0) {
		complain("\"%s\": whether it was replaced during the run is not known: %s",
		         name->mount->path, strerror(errno));
		return -1;
	}
	/* Another directory is gone through; anything else in its place is not a way. */
	if (name->passage && S_ISDIR(st.st_mode))
		return openat(directory, name->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (!name->passage || st.st_mode)
		restore_locked(held, name, directory);
	return -1;
}

/* The command may have closed the directory, which its owner can open again. */
static int judge_reopened(const struct held *held, const struct held_name *name, int directory)
{
	struct reopened_directory opened;
	int next;

	if (directory_open_up(&opened, directory) < 0)
		opened.changed = false;
	next = judge(held, name, directory);
	directory_close_again(&opened);
	return next;
}

static int next_directory(const struct held *held, const struct held_name *name, int directory)
{
	struct stat st;

	if (!name->compared)
		return name->mount->fd;
	if (directory < 0)
		return -1;
	if (held_look(held, name, directory, &st) > 0 && !held_is_rewritten(name))
		return name->mount->fd;
	return judge_reopened(held, name, directory);
}

void held_restore(const struct held *held)
{
	cleanup_free int *now = xrealloc_array(NULL, held->count + 1, sizeof(*now));

	/* Directories come before what they hold; -1: there is no such directory any more. */
	for (size_t i = 0; i < held->count; i++) {
		const struct held_name *name = &held->items[i];

		now[i] = next_directory(
		        held, name, name->directory == HELD_BY_ROOT ? -1 : now[name->directory]);
	}
	for (size_t i = 0; i < held->count; i++)
		if (now[i] >= 0 && now[i] != held->items[i].mount->fd)
			close(now[i]);
}
