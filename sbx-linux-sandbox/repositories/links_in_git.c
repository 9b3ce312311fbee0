#include "repositories/links_in_git.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Before the run a look costs time that somebody waits for; after it nothing may be missed. */
#define BEFORE_MAX 1000
#define AFTER_MAX  200000
#define DEPTH_MAX  50
#define LINES_MAX  20

struct walk {
	const struct permissions *permissions;
	struct git_part *part;
	bool after;
	size_t left;
	size_t lines; /* that were said */
	int fd;       /* being listed */
	const char *at;
	unsigned depth;
	char **directories; /* found in it, ended by NULL */
	size_t count;
};

static bool is_older(struct timespec a, struct timespec b)
{
	return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

/*
 * The time of change cannot be set, but the directory around a link can be
 * moved: what was not seen before the run is kept only if the look was cut.
 */
static bool was_there(const struct git_part *part, const char *path, const char *target,
                      const struct stat *st)
{
	for (size_t i = 0; i < part->count; i++)
		if (strcmp(part->names[i].path, path) == 0 &&
		    strcmp(part->names[i].target, target) == 0)
			return true;
	return part->cut && is_older(st->st_ctim, part->began);
}

static void say(struct walk *walk, const char *path, const char *what, int number)
{
	if (walk->lines++ < LINES_MAX)
		complain("\"%s/%s\": the command left %s there, which git would follow or wait "
		         "for; %s%s",
		         walk->part->path, path, what,
		         number ? "remove it before you use git: " : "it was removed",
		         number ? strerror(number) : "");
}

/* "" for what is no link. */
static char *target_of(int directory, const char *name)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(directory, name, target, sizeof(target));

	return xstrndup(target, len > 0 ? (size_t)len : 0);
}

static void remove_name(struct walk *walk, const char *name, const char *path, const char *target)
{
	cleanup_free char *what =
	        target[0] ? xasprintf("a link to \"%s\"", target) : xstrdup("a fifo or a device");

	say(walk, path, what, unlinkat(walk->fd, name, 0) == 0 ? 0 : errno);
}

static void keep_name(struct git_part *part, char *path, char *target)
{
	list_add(part->names, part->count, (struct name_found){path, target});
}

static void judge_name(struct walk *walk, const char *name)
{
	cleanup_free char *path = path_below(walk->at, name);
	cleanup_free char *target = NULL;
	struct stat st;

	if (fstatat(walk->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || S_ISREG(st.st_mode) ||
	    S_ISDIR(st.st_mode) || S_ISSOCK(st.st_mode))
		return;
	target = target_of(walk->fd, name);
	if (!walk->after)
		keep_name(walk->part, keep_ptr(path), keep_ptr(target));
	else if (!was_there(walk->part, path, target, &st))
		remove_name(walk, name, path, target);
}

/*
 * objects/00 to objects/ff: git opens what is in them only to read, and replaces
 * it by rename.  That such a directory is none, but a link, is seen from above.
 * No other "objects": the log of the branch objects/ab/c is appended to.
 */
static bool is_fan_out(const char *at, const char *name)
{
	static const char digits[] = "0123456789abcdef";

	return strcmp(at, "objects") == 0 && name[0] && name[1] && !name[2] &&
	       strchr(digits, name[0]) && strchr(digits, name[1]);
}

static bool is_writable(const struct walk *walk, const char *name)
{
	cleanup_free char *below = path_below(walk->at, name);
	cleanup_free char *path = path_below(walk->part->path, below);
	const struct entry *entry = permissions_find(walk->permissions, path);

	return !entry || entry->access == ACCESS_WRITE;
}

static bool visit(void *context, const char *name, enum kind kind)
{
	struct walk *walk = context;
	struct stat st;

	if (kind == KIND_OTHER || !is_writable(walk, name))
		return true;
	if (kind == KIND_UNKNOWN && fstatat(walk->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode))
		kind = KIND_DIRECTORY;
	if (kind != KIND_DIRECTORY) {
		judge_name(walk, name);
	} else if (!is_fan_out(walk->at, name)) {
		list_add(walk->directories, walk->count, xstrdup(name));
	}
	return true;
}

static void give_up(struct walk *walk, const char *at, const char *why)
{
	if (!walk->after)
		walk->part->cut = true;
	else if (walk->lines++ < LINES_MAX)
		complain("\"%s/%s\": not searched for links that the command left (%s): review "
		         "it before you use git there",
		         walk->part->path, at, why);
}

/* Every link of a directory before any directory in it: the upper ones are what git opens. */
static void search(struct walk *walk, int parent, const char *name, const char *at)
{
	cleanup_close int fd = git_directory_open(parent, name);
	struct walk here = *walk;

	if (fd < 0 || walk->left == 0 || walk->depth > DEPTH_MAX) {
		if (fd >= 0 || errno != ENOENT)
			give_up(walk, at, fd < 0 ? strerror(errno) : "too many directories");
		return;
	}
	here.fd = fd;
	here.at = at;
	here.left--;
	here.depth++;
	here.directories = NULL;
	here.count = 0;
	if (listing(fd, visit, &here) < 0)
		give_up(&here, at, strerror(errno));
	for (size_t i = 0; i < here.count; i++) {
		cleanup_free char *below = path_below(at, here.directories[i]);

		search(&here, fd, here.directories[i], below);
		free(here.directories[i]);
	}
	free(here.directories);
	walk->left = here.left;
	walk->lines = here.lines;
}

void links_search(const struct permissions *permissions, struct git_part *part, bool after)
{
	struct walk walk = {.permissions = permissions,
	                    .part = part,
	                    .after = after,
	                    .left = after ? AFTER_MAX : BEFORE_MAX};

	search(&walk, part->fd, ".", "");
	if (walk.lines > LINES_MAX)
		complain("\"%s\": %zu more like these", part->path, walk.lines - LINES_MAX);
}
