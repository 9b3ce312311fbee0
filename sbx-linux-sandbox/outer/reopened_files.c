#include "outer/reopened_files.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/fd_path.h"
#include "fs/same_file.h"
#include "messages.h"
#include "mounts/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- outside ------------------------------------------------------------- */

static bool is_given_for_writing(const struct request *request, const struct stat *st, int flags,
                                 const char *path)
{
	if (permissions_resolve(&request->permissions, path, NULL) == ACCESS_WRITE)
		return true;
	/* A device or a pipe is what it is whoever writes to it. */
	return (S_ISREG(st->st_mode) || S_ISBLK(st->st_mode)) && (flags & O_ACCMODE) != O_RDONLY;
}

static void add(const struct request *request, json_t *files, int fd)
{
	int flags = fcntl(fd, F_GETFL);
	bool known;
	char path[PATH_MAX];
	struct stat st;

	fd_name(fd, path);
	/* What cannot be looked at has no path, and is refused inside. */
	known = flags >= 0 && fstat(fd, &st) == 0 && path[0];
	/* What has no name is nobody else's: pipes, sockets, removed files. */
	if (known && (st.st_nlink == 0 || path[0] != '/' || S_ISDIR(st.st_mode) ||
	              is_given_for_writing(request, &st, flags, path)))
		return;
	json_array_append_new(files, xjson(json_pack("[i,o]", fd, os_string(path))));
}

json_t *reopen_json(const struct request *request)
{
	json_t *files = xjson(json_array());

	for (int fd = 0; fd <= 2; fd++)
		add(request, files, fd);
	for (size_t i = 0; i < request->keep_count; i++)
		add(request, files, request->keep_fds[i]);
	return files;
}

int refuse_hidden_files(const struct request *request, struct error *err)
{
	cleanup_json json_t *files = reopen_json(request);
	const json_t *row;
	size_t i;

	json_array_foreach (files, i, row) {
		cleanup_free char *path = os_string_get(json_array_get(row, 1), "path", err);

		if (!path)
			return -1;
		if (path[0] == '/' &&
		    permissions_resolve(&request->permissions, path, NULL) == ACCESS_NONE)
			return error_set(err, EXIT_INPUT, "bad-descriptor",
			                 "fd %d: \"%s\" is hidden from the command; pass it "
			                 "through a pipe",
			                 (int)json_integer_value(json_array_get(row, 0)), path);
	}
	return 0;
}

void reopened_add(struct reopened *reopened, int fd, int copy)
{
	list_add(reopened->files, reopened->count,
	         (struct reopened_file){.fd = fd, .copy = copy, .begin = lseek(fd, 0, SEEK_CUR)});
}

void reopened_conclude(struct reopened *reopened)
{
	for (size_t i = 0; i < reopened->count; i++) {
		const struct reopened_file *file = &reopened->files[i];
		off_t end = lseek(file->copy, 0, SEEK_CUR);

		/* Unless somebody else has moved it meanwhile. */
		if (end >= 0 && lseek(file->fd, 0, SEEK_CUR) == file->begin &&
		    lseek(file->fd, end, SEEK_SET) < 0)
			errno = 0;
		close(file->copy);
	}
	free(reopened->files);
	*reopened = (struct reopened){0};
}

/* ---- inside -------------------------------------------------------------- */

/* Without privileges: neither its owner nor allowed to write. */
static bool cannot_be_changed(int fd, const struct stat *st)
{
	char name[FD_PATH_MAX];

	return mount_is_read_only(fd) ||
	       (st->st_uid != geteuid() && faccessat(AT_FDCWD, fd_path(fd, name), W_OK, 0) < 0 &&
	        errno == EACCES);
}

/* -1: not there, or something else. */
static int open_same(const char *path, int how, const struct stat *st)
{
	cleanup_close int fd = open(path, how);
	struct stat it;

	if (fd < 0 || fstat(fd, &it) < 0)
		return -1;
	/* In a container /dev may have been another when the file was opened. */
	if (same_file(&it, st) || (S_ISCHR(st->st_mode) && S_ISCHR(it.st_mode) &&
	                           it.st_rdev == st->st_rdev && !isatty(fd)))
		return keep_fd(&fd);
	return -1;
}

/* Of a pair of terminals only one can be somebody's own: not the one that steers. */
static bool is_steering(int fd)
{
	int number;

	return ioctl(fd, TIOCGPTN, &number) == 0;
}

static bool is_own(int fd)
{
	int session;

	return ioctl(fd, TIOCGSID, &session) == 0 && !is_steering(fd);
}

/* Its file system is not there, but the sandbox shows it under another name. */
static int open_terminal(int fd, int how, const struct stat *st)
{
	int again = open_same("/dev/console", how, st);

	return again < 0 && is_own(fd) ? open("/dev/tty", how) : again;
}

/* Nothing waits here for the other end, and nobody notices. */
static int open_pipe(const char *path, int how, const struct stat *st)
{
	int both = open_same(path, (how & ~O_ACCMODE) | O_RDWR, st);
	int again = open_same(path, how, st);

	if (both >= 0)
		close(both);
	return again;
}

static int open_again(int fd, const char *path, int flags, const struct stat *st)
{
	int how = (flags & (O_ACCMODE | O_PATH)) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

	if (S_ISFIFO(st->st_mode))
		return open_pipe(path, how, st);
	return isatty(fd) ? open_terminal(fd, how, st) : open_same(path, how, st);
}

static int reopen_one(int fd, const char *path, int control, struct error *err)
{
	int flags = fcntl(fd, F_GETFL);
	cleanup_close int again = -1;
	struct stat st;
	off_t at;

	if (flags < 0 || fstat(fd, &st) < 0)
		return error_system(err, "fd %d", fd);
	if (st.st_nlink == 0 || cannot_be_changed(fd, &st))
		return 0;
	again = open_again(fd, path, flags, &st);
	/* Somebody else's terminal: there is no other way to it, and only its mode is at stake. */
	if (again < 0 && isatty(fd) && !is_own(fd) && !is_steering(fd))
		return 0;
	if (again < 0 || !mount_is_read_only(again))
		return error_set(err, EXIT_INPUT, "bad-descriptor",
		                 "fd %d: \"%s\" does not exist inside the sandbox and cannot be "
		                 "reopened read-only; pass it through a pipe",
		                 fd, path);
	if (!(flags & O_PATH) && fcntl(again, F_SETFL, flags) < 0)
		return error_system(err, "fd %d", fd);
	at = lseek(fd, 0, SEEK_CUR);
	if (at >= 0 && lseek(again, at, SEEK_SET) < 0)
		return error_system(err, "fd %d", fd);
	if (dup2(again, fd) < 0)
		return error_system(err, "fd %d", fd);
	if (S_ISREG(st.st_mode) && at >= 0 &&
	    control_send_fd(control, MESSAGE_REOPENED, fd, again) < 0)
		return error_system(err, "reporting");
	return 0;
}

int reopen(const json_t *files, int control, struct error *err)
{
	size_t i;
	json_t *row;

	json_array_foreach (files, i, row) {
		cleanup_free char *path = os_string_get(json_array_get(row, 1), "plan", err);

		if (!path || reopen_one((int)json_integer_value(json_array_get(row, 0)), path,
		                        control, err) < 0)
			return -1;
	}
	return 0;
}
