#include "broker/walk.h"

#include "base/cleanup.h"
#include "fs/fd_path.h"
#include "process/descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

bool walk_may_follow(int parent, const struct stat *link)
{
	struct stat directory;

	return fstat(parent, &directory) == 0 &&
	       ((directory.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) ||
	        link->st_uid == geteuid() || link->st_uid == directory.st_uid);
}

/* The process that a directory of /proc is about; 0: none. */
static pid_t process_of(const char *directory)
{
	return strncmp(directory, "/proc/", 6) == 0 ? (pid_t)strtol(directory + 6, NULL, 10) : 0;
}

bool walk_is_of_another(const struct asked *asked, int fd, const char *path)
{
	pid_t pid = process_of(path);
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0 || fs.f_type != PROC_SUPER_MAGIC)
		return false;
	if (pid == 0)
		return strncmp(path, "/proc/", 6) != 0; /* another /proc */
	return pid != asked_by(asked) && pid != asked_leader(asked);
}

int walk_open_magic(const struct asked *asked, int parent, const char *directory, const char *name)
{
	pid_t pid = process_of(directory);
	int fd;

	if (pid <= 0)
		return WALK_NO_MAGIC;
	/* Everything in the sandbox descends from a child of ours. */
	if (pid != asked_by(asked) && pid != asked_leader(asked) && !is_descendant(NULL, pid))
		return -EACCES;
	fd = openat(parent, name, O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

struct walk {
	int at;
	char left[2 * PATH_MAX];
	int links;
};

int walk_name_self(const struct asked *asked, const char *directory, char *name)
{
	pid_t leader;

	if (strcmp(directory, "/proc") != 0 ||
	    (strcmp(name, "self") != 0 && strcmp(name, "thread-self") != 0))
		return 0;
	leader = asked_leader(asked);
	if (leader <= 0)
		return -EPERM;
	snprintf(name, NAME_MAX, "%d", (int)(strcmp(name, "self") == 0 ? leader : asked_by(asked)));
	return 0;
}

/* Before what is left comes the text of the link. */
static int step_through(struct walk *walk, int link, const struct stat *st)
{
	char text[PATH_MAX], left[2 * PATH_MAX];
	ssize_t n = readlinkat(link, "", text, sizeof(text) - 1);

	if (n <= 0)
		return -ENOENT;
	text[n] = '\0';
	if (++walk->links > WALK_LINKS_MAX)
		return -ELOOP;
	if (!walk_may_follow(walk->at, st))
		return -EACCES;
	if ((size_t)snprintf(left, sizeof(left), "%s/%s", text, walk->left) >= sizeof(left))
		return -ENAMETOOLONG;
	strcpy(walk->left, left);
	if (text[0] != '/')
		return 0;
	close(walk->at);
	walk->at = open("/", O_PATH | O_CLOEXEC);
	return walk->at < 0 ? -errno : 0;
}

static int step(const struct asked *asked, struct walk *walk, char name[PATH_MAX])
{
	cleanup_close int next = -1;
	char directory[PATH_MAX];
	struct stat st;
	int got = fd_name(walk->at, directory);

	if (got == 0)
		got = walk_name_self(asked, directory, name);
	if (got < 0)
		return got;
	next = openat(walk->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (next < 0 || fstat(next, &st) < 0)
		return -errno;
	if (S_ISLNK(st.st_mode)) {
		int object = walk_open_magic(asked, walk->at, directory, name);

		if (object == WALK_NO_MAGIC)
			return step_through(walk, next, &st);
		if (object < 0)
			return object;
		close(next);
		next = object;
	}
	close(walk->at);
	walk->at = keep_fd(&next);
	return 0;
}

/* The first component of what is left; false: there is none. */
static bool take_component(struct walk *walk, char name[PATH_MAX])
{
	size_t from = strspn(walk->left, "/"), len = strcspn(walk->left + from, "/");

	if (len == 0)
		return false;
	if (len >= PATH_MAX)
		len = PATH_MAX - 1;
	memcpy(name, walk->left + from, len);
	name[len] = '\0';
	memmove(walk->left, walk->left + from + len, strlen(walk->left + from + len) + 1);
	return true;
}

int walk_to_directory(const struct asked *asked, int base, const char *path)
{
	struct walk walk = {.links = 0};
	char name[PATH_MAX];
	struct stat st;
	int got = 0;

	strcpy(walk.left, path);
	walk.at = path[0] == '/' ? open("/", O_PATH | O_CLOEXEC)
	                         : openat(base, ".", O_PATH | O_CLOEXEC);
	if (walk.at < 0)
		return -errno;
	while (got == 0 && take_component(&walk, name))
		got = step(asked, &walk, name);
	if (got == 0 && (fstat(walk.at, &st) < 0 || !S_ISDIR(st.st_mode)))
		got = -ENOTDIR;
	if (got < 0) {
		close(walk.at);
		return got;
	}
	return walk.at;
}
