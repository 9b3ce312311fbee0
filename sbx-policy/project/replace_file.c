#include "project/replace_file.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "config/config_file.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "fs/take_turns.h"
#include "toml/toml.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

/* One fixed name: what a SIGKILL leaves, the next edit removes, under the lock. */
#define NEW_NAME ".config.toml.new"

/*
 * Beside the file, and such that nobody can lock it who may only read: the
 * directory itself, and the file, can be opened from inside a sandbox.
 */
#define LOCK_NAME ".config.toml.lock"
#define LOCK_MS   5000

/* The directory of path, made if it is missing, and locked. */
static int lock_directory(const char *path, struct error *err)
{
	cleanup_free char *directory = path_parent(path);
	cleanup_close int fd = -1;
	struct stat st;

	if (mkdir(directory, 0700) < 0 && errno != EEXIST)
		return error_system(err, "making \"%s\"", directory);
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "opening \"%s\"", directory);
	if ((st.st_uid != geteuid() && st.st_uid != 0) || (st.st_mode & S_IWOTH))
		return error_set(err, EXIT_INPUT, "bad-config",
		                 "\"%s\": somebody else can write there; nothing was changed",
		                 directory);
	return lock_take(fd, LOCK_NAME, LOCK_MS, err);
}

/* The directory that the file itself is in: the locked one, or where a link leads to. */
static int directory_of(const char *target, struct error *err)
{
	cleanup_free char *directory = path_parent(target);
	cleanup_close int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "opening \"%s\"", directory);
	if (st.st_uid != geteuid() || (st.st_mode & S_IWOTH))
		return error_set(err, EXIT_INPUT, "bad-config",
		                 "\"%s\": not this user's directory; nothing was changed",
		                 directory);
	return keep_fd(&fd);
}

/* The text of the file, "" when there is none; st is of what was read. */
static char *old_text(int dir, const char *name, const char *path, size_t *len, struct stat *st,
                      struct error *err)
{
	cleanup_close int fd =
	        openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	cleanup_free char *text = NULL;
	const char *doubt;
	ssize_t used;

	*len = 0;
	memset(st, 0, sizeof(*st));
	if (fd < 0 && errno == ENOENT) {
		st->st_mode = 0600;
		return xstrdup("");
	}
	if (fd < 0 || fstat(fd, st) < 0) {
		error_system(err, "opening \"%s\"", path);
		return NULL;
	}
	doubt = file_doubt(st, false);
	if (!doubt && st->st_uid != geteuid())
		doubt = "owned by somebody else";
	if (!doubt && (size_t)st->st_size > toml_limits_default.bytes)
		doubt = "too large";
	if (doubt) {
		error_set(err, EXIT_INPUT, "bad-config", "\"%s\": %s; nothing was changed", path,
		          doubt);
		return NULL;
	}
	text = xmalloc((size_t)st->st_size + 1);
	used = read_full(fd, text, (size_t)st->st_size);
	if (used < 0) {
		error_system(err, "reading \"%s\"", path);
		return NULL;
	}
	*len = (size_t)used;
	text[*len] = '\0';
	if (strlen(text) != *len) {
		error_set(err, EXIT_INPUT, "bad-toml", "\"%s\": contains a NUL byte", path);
		return NULL;
	}
	return keep_ptr(text);
}

static int write_all(int fd, const char *text)
{
	for (size_t len = strlen(text); len > 0;) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno != EINTR)
			return -1;
		text += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int put(int dir, const char *name, const char *text, mode_t mode)
{
	cleanup_close int fd = -1;

	unlinkat(dir, NEW_NAME, 0);
	fd = openat(dir, NEW_NAME, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	if (write_all(fd, text) == 0 && fchmod(fd, mode & 0777) == 0 && fsync(fd) == 0 &&
	    renameat(dir, NEW_NAME, dir, name) == 0)
		return fsync(dir);
	{
		int saved = errno;

		unlinkat(dir, NEW_NAME, 0);
		errno = saved;
	}
	return -1;
}

static int replace_locked(const char *path, replace_edit *edit, void *context, struct error *err)
{
	cleanup_free char *text = NULL;
	cleanup_free char *new = NULL;
	cleanup_close int dir = -1;
	struct trail trail;
	struct stat st, now;
	sigset_t all, before;
	size_t len;
	int status = -1;

	if (trail_follow(&trail, "/", path, err) < 0)
		return -1;
	/* A link stays a link: what it leads to is replaced, where that is the user's. */
	dir = directory_of(trail.target, err);
	if (dir >= 0)
		text = old_text(dir, strrchr(trail.target, '/') + 1, trail.target, &len, &st, err);
	if (text)
		new = edit(context, path, text, len, err);
	if (new &&strcmp(new, text) == 0) {
		status = 0;
	} else if (new) {
		const char *name = strrchr(trail.target, '/') + 1;

		/* An editor takes no lock. */
		if (st.st_ino &&
		    (fstatat(dir, name, &now, AT_SYMLINK_NOFOLLOW) < 0 || now.st_ino != st.st_ino ||
		     now.st_mtim.tv_sec != st.st_mtim.tv_sec ||
		     now.st_mtim.tv_nsec != st.st_mtim.tv_nsec)) {
			error_set(err, EXIT_INPUT, "changed",
			          "\"%s\": was changed at the same time; try again", path);
		} else {
			sigfillset(&all);
			sigprocmask(SIG_BLOCK, &all, &before);
			status = put(dir, name, new, st.st_mode);
			if (status < 0)
				error_system(err, "writing \"%s\"", path);
			sigprocmask(SIG_SETMASK, &before, NULL);
		}
	}
	trail_free(&trail);
	return status;
}

int replace_file(const char *path, replace_edit *edit, void *context, struct error *err)
{
	cleanup_close int lock = lock_directory(path, err);
	cleanup_free char *directory = path_parent(path);
	cleanup_free char *name = path_join(directory, LOCK_NAME);
	int status = lock < 0 ? -1 : replace_locked(path, edit, context, err);

	if (lock >= 0)
		unlink(name);
	return status;
}
