#include "apply/stage.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/write_full.h"
#include "changes/own_attributes.h"
#include "changes/same_content.h"
#include "fs/fd_path.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

const char *stage_new(size_t number, char name[STAGE_NAME_MAX])
{
	snprintf(name, STAGE_NAME_MAX, "%zu.new", number);
	return name;
}

const char *stage_old(size_t number, char name[STAGE_NAME_MAX])
{
	snprintf(name, STAGE_NAME_MAX, "%zu.old", number);
	return name;
}

int open_without_links(const char *path)
{
	cleanup_close int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 ? -1 : path_open_beneath(root, path + 1, O_PATH | O_DIRECTORY | O_NOFOLLOW);
}

static int copy_part(int from, int to, off_t at, off_t end)
{
	static char buffer[1 << 17];

	if (lseek(to, at, SEEK_SET) < 0)
		return -1;
	while (at < end) {
		size_t most =
		        end - at < (off_t)sizeof(buffer) ? (size_t)(end - at) : sizeof(buffer);
		ssize_t n = pread(from, buffer, most, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -1 : 0;
		if (write_full(to, buffer, (size_t)n) < 0)
			return -1;
		at += n;
	}
	return 0;
}

/* All bytes, and holes as holes. */
static int copy_content(int from, int to)
{
	struct stat st;

	if (fstat(from, &st) < 0)
		return -1;
	if (ioctl(to, FICLONE, from) == 0)
		return 0;
	for (off_t at = 0; at < st.st_size;) {
		off_t data = lseek(from, at, SEEK_DATA);
		off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);

		/* Nothing but a hole is left; or nobody knows of holes here. */
		if (data < 0 && errno == ENXIO)
			break;
		if (data < 0)
			data = at;
		if (hole < 0)
			hole = st.st_size;
		if (copy_part(from, to, data, hole) < 0)
			return -1;
		at = hole;
	}
	return ftruncate(to, st.st_size);
}

/* They can be read by whoever may read the file by now, not by who has it open. */
static int copy_closed_attributes(int from, int to)
{
	struct stat st;
	int status;

	if (fstat(from, &st) < 0)
		return -1;
	if (st.st_mode & S_IRUSR)
		return own_attributes_copy(from, to);
	if (fchmod(from, (st.st_mode & 07777) | S_IRUSR) < 0)
		return -1;
	status = own_attributes_copy(from, to);
	return fchmod(from, st.st_mode & 07777) < 0 ? -1 : status;
}

static int open_in_upper(const struct state *state, const struct change *c, char **name)
{
	cleanup_free char *parent = xstrdup(below_upper(state, c));
	char *slash = strrchr(parent, '/');
	int upper = state->roots[c->root].upper;

	*name = xstrdup(slash ? slash + 1 : parent);
	if (slash)
		*slash = '\0';
	return path_open_beneath(upper, slash ? parent : ".", O_PATH | O_DIRECTORY | O_NOFOLLOW);
}

/* The owner's group, where a directory of the host gives another one. */
static int make_like(int fd, const struct change *c)
{
	const struct timespec times[2] = {c->now.st_atim, c->now.st_mtim};
	mode_t had = c->had && S_ISREG(c->was.st_mode) ? c->was.st_mode & S_ISUID : 0;
	mode_t mode = c->now.st_mode & (03777 | had);
	struct stat st;

	if (fstat(fd, &st) < 0 ||
	    (st.st_gid != c->now.st_gid && fchown(fd, (uid_t)-1, c->now.st_gid) < 0) ||
	    fchmod(fd, mode) < 0)
		return -1;
	return futimens(fd, times);
}

static int make_file(int stage, const char *temp, int parent, const char *name,
                     const struct change *c)
{
	cleanup_close int from = open_to_read(parent, name);
	cleanup_close int to =
	        from < 0 ? -1
	                 : openat(stage, temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	                          0600);

	if (to < 0 || copy_content(from, to) < 0 || copy_closed_attributes(from, to) < 0)
		return -1;
	return make_like(to, c);
}

/* What it gets without a directory around it that would give it another. */
static int give_group(int stage, const char *temp, const struct change *c)
{
	struct stat st;

	if (fstatat(stage, temp, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	return st.st_gid == c->now.st_gid
	               ? 0
	               : fchownat(stage, temp, (uid_t)-1, c->now.st_gid, AT_SYMLINK_NOFOLLOW);
}

static int make_link(int stage, const char *temp, int parent, const char *name,
                     const struct change *c)
{
	const struct timespec times[2] = {c->now.st_atim, c->now.st_mtim};
	char target[PATH_MAX];
	ssize_t n = readlinkat(parent, name, target, sizeof(target) - 1);

	if (n < 0)
		return -1;
	target[n] = '\0';
	return symlinkat(target, stage, temp) < 0 || give_group(stage, temp, c) < 0
	               ? -1
	               : utimensat(stage, temp, times, AT_SYMLINK_NOFOLLOW);
}

static int make_fifo(int stage, const char *temp, const struct change *c)
{
	const struct timespec times[2] = {c->now.st_atim, c->now.st_mtim};
	cleanup_close int fd = -1;

	if (mkfifoat(stage, temp, 0600) < 0 || give_group(stage, temp, c) < 0)
		return -1;
	fd = openat(stage, temp, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 || fd_chmod(fd, c->now.st_mode & 03777) < 0
	               ? -1
	               : utimensat(stage, temp, times, AT_SYMLINK_NOFOLLOW);
}

/* Open to us until it has all that belongs into it. */
static int make_directory(int stage, const char *temp, const struct state *state,
                          const struct change *c)
{
	cleanup_close int from =
	        path_open_beneath(state->roots[c->root].upper, below_upper(state, c),
	                          O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	cleanup_close int to = -1;

	if (from < 0 || mkdirat(stage, temp, 0700) < 0 || give_group(stage, temp, c) < 0)
		return -1;
	to = openat(stage, temp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return to < 0 || own_attributes_copy(from, to) < 0 ? -1 : fchmod(to, 0700);
}

int stage_make(int stage, const struct state *state, const struct change *c, size_t number,
               long like)
{
	char temp[STAGE_NAME_MAX], other[STAGE_NAME_MAX];
	cleanup_free char *name = NULL;
	cleanup_close int parent = -1;

	stage_new(number, temp);
	if (S_ISDIR(c->now.st_mode))
		return make_directory(stage, temp, state, c);
	if (like >= 0)
		return linkat(stage, stage_new((size_t)like, other), stage, temp, 0);
	if (S_ISFIFO(c->now.st_mode))
		return make_fifo(stage, temp, c);
	parent = open_in_upper(state, c, &name);
	if (parent < 0)
		return -1;
	return S_ISLNK(c->now.st_mode) ? make_link(stage, temp, parent, name, c)
	                               : make_file(stage, temp, parent, name, c);
}
