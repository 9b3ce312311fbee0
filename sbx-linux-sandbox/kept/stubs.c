#include "kept/stubs.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/fd_path.h"
#include "fs/path.h"
#include "fs/same_file.h"
#include "fs/take_turns.h"
#include "policy/slash_tmp.h"
#include "repositories/planted_head.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILE_MODE (S_ISVTX | 0444)

/*
 * Another run holds a stub exclusively only for the moment of removing it.  A
 * program that can read the stub can hold it longer: then it is as good as
 * somebody's directory.  What another user made is that user's anyway, and is
 * not waited for as long.
 */
#define OWN_WAIT_MS     1000
#define FOREIGN_WAIT_MS 50

/*
 * Names that a directory cannot stand for: the program that looks for the
 * file would stop.  The text means what the missing file means.
 */
static const struct file_stub {
	const char *name, *text;
} file_stubs[] = {
        {"commondir", ".\n"}, /* git: the repository is where it is */
        {"hgrc", ""},         /* Mercurial: no settings */
        {"hgrc-not-shared", ""},
        {"requires", ""},   /* Mercurial: no special format */
        {"sharedpath", ""}, /* Mercurial: read only where "requires" says so */
        {"config", ""},     /* of several: no settings */
        {"location", ""},   /* Bazaar: read only where the format says so */
        {".gitconfig", ""}, /* git: included settings, by their usual names */
        {".gitinclude", ""},
        {"gitconfig", ""},
};

/* Settings and scripts that are named by others have an extension, which no directory has. */
static const char *const file_extensions[] = {".conf", ".config",    ".cfg",     ".ini", ".inc",
                                              ".toml", ".sh",        ".py",      ".pl",  ".rb",
                                              ".js",   ".gitconfig", ".worktree"};

static bool has_extension(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(file_extensions) / sizeof(file_extensions[0]); i++) {
		size_t end = strlen(file_extensions[i]);

		if (len > end && strcmp(name + len - end, file_extensions[i]) == 0)
			return true;
	}
	return false;
}

static const struct file_stub *file_stub(const char *name)
{
	static const struct file_stub empty = {"", ""};

	for (size_t i = 0; i < sizeof(file_stubs) / sizeof(file_stubs[0]); i++)
		if (strcmp(file_stubs[i].name, name) == 0)
			return &file_stubs[i];
	return has_extension(name) ? &empty : NULL;
}

/*
 * A directory proves that it is nobody's by being empty when it is removed; a
 * file, which would be lost, by name and length besides the mode.
 */
bool stub_has_mark(const char *name, const struct stat *st)
{
	const struct file_stub *file = file_stub(name);

	if (S_ISDIR(st->st_mode))
		return (st->st_mode & 07777) == STUB_MODE;
	return file && S_ISREG(st->st_mode) && (st->st_mode & 07777) == FILE_MODE &&
	       st->st_size == (off_t)strlen(file->text);
}

static bool end_at_once(void *context, const char *name, enum kind kind)
{
	(void)context, (void)name, (void)kind;
	return false;
}

bool stub_is_empty(int parent, const char *name, const struct stat *st)
{
	cleanup_close int fd = -1;
	struct stat here;

	if (!S_ISDIR(st->st_mode) || !stub_has_mark(name, st))
		return false;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 && fstat(fd, &here) == 0 && here.st_ino == st->st_ino &&
	       here.st_dev == st->st_dev && listing(fd, end_at_once, NULL) == 0;
}

/* The directory's owner could give itself the right to create the name. */
static bool nobody_can_create(int parent)
{
	struct stat st;

	return fstat(parent, &st) == 0 && st.st_uid != geteuid();
}

static int make_directory(int parent, const char *name)
{
	mode_t mask = umask(0);
	int made = mkdirat(parent, name, STUB_MODE);
	int saved = errno;

	umask(mask);
	errno = saved;
	return made;
}

/* With its text from the first moment: a git outside may look at any time. */
static int make_file(int parent, const char *name, const struct file_stub *stub)
{
	size_t len = strlen(stub->text);
	char self[FD_PATH_MAX];
	cleanup_close int fd = openat(parent, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	bool named = fd < 0;

	if (named)
		fd = openat(parent, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	if ((len > 0 && write(fd, stub->text, len) != (ssize_t)len) || fchmod(fd, FILE_MODE) < 0)
		return -1;
	return named ? 0 : linkat(AT_FDCWD, fd_path(fd, self), parent, name, AT_SYMLINK_FOLLOW);
}

static int make_name(int parent, const char *name)
{
	const struct file_stub *file = file_stub(name);

	return file ? make_file(parent, name, file) : make_directory(parent, name);
}

/*
 * Opens, locks and checks that the name still is what was locked: between our
 * open and our lock another run may have removed the stub.  1: held, 0: not a
 * stub, -1 with errno; EAGAIN: look again.
 */
static int hold(int parent, const char *name, int *held)
{
	cleanup_close int fd = -1;
	struct stat named;

	if (fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? (errno = EAGAIN, -1) : -1;
	if (!stub_has_mark(name, &named))
		return 0;
	fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? (errno = EAGAIN, -1) : -1;
	if (lock_shared(fd, named.st_uid == geteuid() ? OWN_WAIT_MS : FOREIGN_WAIT_MS) < 0)
		return -1;
	if (!is_still_named(fd, parent, name)) {
		errno = EAGAIN;
		return -1;
	}
	*held = keep_fd(&fd);
	return 1;
}

static int make_stub(struct stubs *stubs, int parent, const char *name, const char *path,
                     struct error *err)
{
	cleanup_close int dir = fcntl(parent, F_DUPFD_CLOEXEC, 3);
	struct stub *items;
	int fd = -1, got;

	if (dir < 0)
		return error_system(err, "protecting \"%s\"", path);
	do {
		if (make_name(dir, name) < 0 && errno != EEXIST) {
			if ((errno == EACCES || errno == EPERM || errno == EROFS) &&
			    nobody_can_create(dir))
				return 0;
			if (errno == EROFS)
				return 0;
			return error_system(err, "protecting \"%s\", which does not exist yet",
			                    path);
		}
		got = hold(dir, name, &fd);
	} while (got < 0 && errno == EAGAIN);
	/* Locked for long, or not to be opened: somebody's, which is mounted as what it is. */
	if (got < 0 && (errno == ETIMEDOUT || errno == EACCES || errno == EPERM))
		return 0;
	if (got < 0)
		return error_system(err, "protecting \"%s\", which does not exist yet", path);
	if (got == 0)
		return 0;
	items = xrealloc_array(stubs->items, stubs->count + 1, sizeof(*items));
	items[stubs->count++] =
	        (struct stub){.parent = keep_fd(&dir), .fd = fd, .name = xstrdup(name)};
	stubs->items = items;
	return 0;
}

/* Where the last walk ended: the next path is most often in the same directory. */
struct walked {
	char *parent;
	int fd;
};

static void walked_forget(struct walked *walked)
{
	free(walked->parent);
	if (walked->fd >= 0)
		close(walked->fd);
	*walked = (struct walked){.fd = -1};
}

static int walk_from(const struct walked *walked, const char *parent, size_t *skip)
{
	if (walked->parent && strcmp(walked->parent, parent) == 0) {
		*skip = path_depth(parent) == 0 ? 1 : strlen(parent) + 1;
		return fcntl(walked->fd, F_DUPFD_CLOEXEC, 3);
	}
	*skip = 1;
	return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void walk_ended(struct walked *walked, const char *parent, int fd)
{
	if (walked->parent && strcmp(walked->parent, parent) == 0)
		return;
	walked_forget(walked);
	walked->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	/* Without it the next walk begins at the top again. */
	if (walked->fd >= 0)
		walked->parent = xstrdup(parent);
}

/* Walks down to the first component that is missing or is itself a stub. */
static int protect(const struct permissions *permissions, struct stubs *stubs,
                   struct walked *walked, const char *path, struct error *err)
{
	cleanup_free char *copy = xstrdup(path);
	cleanup_free char *holder = path_parent(path);
	size_t skip;
	cleanup_close int dir = walk_from(walked, holder, &skip);
	char *name = copy + skip;

	if (dir < 0)
		return error_system(err, "opening the way to \"%s\"", path);
	for (;;) {
		char *slash = strchr(name, '/');
		struct stat st;
		int fd;

		if (slash)
			*slash = '\0';
		else
			walk_ended(walked, holder, dir);
		if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
			if (errno != ENOENT)
				return error_system(err, "looking at \"%s\"", path);
			/* Up to here the copy is the first missing path. */
			cleanup_free char *parent = path_parent(copy);

			if (permissions_resolve(permissions, parent, NULL) != ACCESS_WRITE ||
			    is_closed_head(permissions, copy))
				return 0;
			return make_stub(stubs, dir, name, path, err);
		}
		if (stub_has_mark(name, &st)) {
			cleanup_free char *parent = path_parent(copy);

			if (permissions_resolve(permissions, parent, NULL) == ACCESS_WRITE)
				return make_stub(stubs, dir, name, path, err);
		}
		if (!slash)
			return 0;
		fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			/* Through a link or a file: mounts_plan() judges that. */
			return errno == ENOTDIR || errno == ELOOP
			               ? 0
			               : error_system(err, "looking at \"%s\"", path);
		close(dir);
		dir = fd;
		*slash = '/';
		name = slash + 1;
	}
}

int stubs_make(const struct permissions *permissions, const char *private_tmp, struct stubs *stubs,
               struct error *err)
{
	struct walked walked = {.fd = -1};
	int status = 0;

	for (size_t i = 0; status == 0 && i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *parent = path_parent(entry->path);

		if (entry->access == ACCESS_WRITE || entry->path[1] == '\0' ||
		    permissions_resolve(permissions, parent, NULL) != ACCESS_WRITE ||
		    (private_tmp && tmp_decides(permissions, private_tmp, parent)))
			continue;
		status = protect(permissions, stubs, &walked, entry->path, err);
	}
	walked_forget(&walked);
	return status;
}

bool stubs_contain(const struct stubs *stubs, const struct stat *st)
{
	struct stat stub;

	for (size_t i = 0; (st->st_mode & S_ISVTX) && i < stubs->count; i++)
		if (fstat(stubs->items[i].fd, &stub) == 0 && same_file(&stub, st))
			return true;
	return false;
}

void stubs_remove(struct stubs *stubs)
{
	for (size_t i = 0; i < stubs->count; i++) {
		struct stub *stub = &stubs->items[i];
		struct stat here, named;
		mode_t mask;

		if (flock(stub->fd, LOCK_EX | LOCK_NB) == 0 && fstat(stub->fd, &here) == 0 &&
		    stub_has_mark(stub->name, &here) &&
		    fstatat(stub->parent, stub->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
		    same_file(&here, &named) &&
		    unlinkat(stub->parent, stub->name, S_ISDIR(here.st_mode) ? AT_REMOVEDIR : 0) <
		            0 &&
		    (errno == ENOTEMPTY || errno == EEXIST)) {
			/* Somebody made it theirs from outside: give it a usual mode. */
			mask = umask(0);
			umask(mask);
			if (fchmod(stub->fd, 0777 & ~mask) < 0)
				continue;
		}
		close(stub->fd);
		close(stub->parent);
		free(stub->name);
	}
	free(stubs->items);
	*stubs = (struct stubs){0};
}
