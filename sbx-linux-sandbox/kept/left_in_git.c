#include "kept/left_in_git.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "git/git_config.h"
#include "git/pointer_file.h"
#include "git/repository.h"
#include "kept/closed_directory.h"
#include "kept/git_state.h"
#include "kept/put_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Before the run a look costs time that somebody waits for; after it nothing may be missed. */
#define BEFORE_MAX 1000
#define AFTER_MAX  200000
#define DEPTH_MAX  50
#define LINES_MAX  20
#define STATE_MAX  (256 << 20)

/* A link, a fifo or a device.  Not by its inode: the next link may get the same number. */
struct name_found {
	char *path;   /* from the part */
	char *target; /* of a link; else "" */
};

struct state_found {
	bool exists;
	ino_t inode;
	struct timespec changed;
	struct git_text text; /* of small ones */
};

struct git_part {
	char *path;
	int fd;
	struct name_found *names;
	size_t count;
	bool cut;                   /* not everything was seen before the run */
	struct timespec began;      /* what is younger is the command's */
	struct state_found *states; /* by git_state(); NULL: no repository's own directory */
};

struct walk {
	const struct git_parts *parts;
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

/* ---- links ---------------------------------------------------------------------- */

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
	part->names = xrealloc_array(part->names, part->count + 1, sizeof(*part->names));
	part->names[part->count++] = (struct name_found){path, target};
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

/* ---- the walk --------------------------------------------------------------------- */

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
	const struct entry *entry = permissions_find(walk->parts->permissions, path);

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
		walk->directories = xrealloc_array(walk->directories, walk->count + 1,
		                                   sizeof(*walk->directories));
		walk->directories[walk->count++] = xstrdup(name);
	}
	return true;
}

/* One that the command closed is opened again: it is the caller's own. */
static int open_directory(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	cleanup_close int path = -1;

	if (fd >= 0 || errno != EACCES)
		return fd;
	path = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return path < 0 ? -1 : directory_open_to_list(path);
}

static void give_up(struct walk *walk, const char *at, const char *why)
{
	if (!walk->after)
		walk->part->cut = true;
	else if (walk->lines++ < LINES_MAX)
		complain("\"%s/%s\": not searched for links that the command left (%s): look at "
		         "it before you use git there",
		         walk->part->path, at, why);
}

/* Every link of a directory before any directory in it: the upper ones are what git opens. */
static void search(struct walk *walk, int parent, const char *name, const char *at)
{
	cleanup_close int fd = open_directory(parent, name);
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

static void search_part(const struct git_parts *parts, struct git_part *part, bool after)
{
	struct walk walk = {.parts = parts,
	                    .part = part,
	                    .after = after,
	                    .left = after ? AFTER_MAX : BEFORE_MAX};

	search(&walk, part->fd, ".", "");
	if (walk.lines > LINES_MAX)
		complain("\"%s\": %zu more like these", part->path, walk.lines - LINES_MAX);
}

/* ---- files that git believes -------------------------------------------------------- */

static size_t state_count(void)
{
	size_t count = 0;

	while (git_state(count))
		count++;
	return count;
}

static int open_state(const struct git_part *part, const char *name, struct stat *st)
{
	cleanup_close int fd =
	        path_open_beneath(part->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fstat(fd, st) < 0 || !S_ISREG(st->st_mode))
		return -1;
	return keep_fd(&fd);
}

static bool read_state(int fd, const struct stat *st, off_t limit, struct git_text *text)
{
	ssize_t used;

	if (st->st_size > limit)
		return false;
	text->bytes = xmalloc((size_t)st->st_size + 1);
	used = read_full(fd, text->bytes, (size_t)st->st_size);
	text->size = used < 0 ? 0 : (size_t)used;
	text->bytes[text->size] = '\0';
	return used >= 0;
}

/* A file with a date of before the run was not touched; the date of its change cannot be set. */
static void remember_states(struct git_part *part)
{
	part->states = xrealloc_array(NULL, state_count(), sizeof(*part->states));
	for (size_t i = 0; i < state_count(); i++) {
		struct state_found *found = &part->states[i];
		struct stat st;
		cleanup_close int fd = open_state(part, git_state(i)->name, &st);

		*found = (struct state_found){.exists = fd >= 0};
		if (fd < 0)
			continue;
		found->inode = st.st_ino;
		found->changed = st.st_ctim;
		read_state(fd, &st, 1 << 16, &found->text);
	}
}

static bool is_object_format(void *context, const char *section, const char *key)
{
	(void)context;
	return strcmp(section, "extensions") == 0 && strcmp(key, "objectformat") == 0;
}

static void take_format(void *context, const char *section, const char *key, const char *value)
{
	size_t *size = context;

	(void)section;
	(void)key;
	*size = strcmp(value, "sha256") == 0 ? 32 : 20;
}

/*
 * As the repository's settings say, which the command could not write.  A linked
 * worktree has them elsewhere: git takes no notice of a "config" in its directory.
 */
static size_t hash_size(const struct git_part *part)
{
	size_t size = 20;
	const struct gitconfig_reader reader = {is_object_format, take_format, &size};
	struct gitfile file;
	cleanup_free char *common = NULL;

	if (gitfile_common(&file, part->path) == 0) {
		common = path_join(part->path, file.exact);
		gitfile_free(&file);
	}
	gitconfig_read(common ? common : part->path, &reader);
	return size;
}

static void judge_state(const struct git_part *part, const struct git_state *state,
                        const char *name, const struct state_found *before)
{
	char aside[NAME_MAX + 1];
	struct git_text text = {0};
	struct stat st;
	cleanup_close int fd = open_state(part, name, &st);
	bool harmful;

	if (fd < 0 || (before && before->exists && before->inode == st.st_ino &&
	               memcmp(&before->changed, &st.st_ctim, sizeof(st.st_ctim)) == 0))
		return;
	harmful = !read_state(fd, &st, STATE_MAX, &text) ||
	          state->is_harmful(&text, before && before->text.bytes ? &before->text : NULL,
	                            hash_size(part));
	free(text.bytes);
	if (!harmful)
		return;
	if (put_aside_below(part->fd, name, aside) == 0)
		complain("\"%s/%s\": the command changed it, and %s: it is called %s now",
		         part->path, name, state->why, aside);
	else
		complain("\"%s/%s\": the command changed it, and %s: remove it before you use git "
		         "there (renaming it: %s)",
		         part->path, name, state->why, strerror(errno));
}

struct shared {
	const struct git_part *part;
	const struct git_state *state;
};

/* sharedindex.HASH holds a part of the index. */
static bool judge_shared(void *context, const char *name, enum kind kind)
{
	const struct shared *shared = context;

	if (strncmp(name, "sharedindex.", 12) == 0 && kind != KIND_DIRECTORY &&
	    !strstr(name, ".sbx-"))
		judge_state(shared->part, shared->state, name, NULL);
	return true;
}

static void judge_states(const struct git_part *part)
{
	const struct git_state *state;

	for (size_t i = 0; part->states && (state = git_state(i)) != NULL; i++) {
		judge_state(part, state, state->name, &part->states[i]);
		if (strcmp(state->name, "index") == 0) {
			cleanup_close int fd = open_directory(part->fd, ".");
			struct shared shared = {part, state};

			if (fd < 0 || listing(fd, judge_shared, &shared) < 0)
				complain("\"%s\": %s", part->path, strerror(errno));
		}
	}
}

/* ---- which directories ---------------------------------------------------------------- */

static bool is_in_git(const char *path)
{
	return path_has(path, ".git") || is_git_directory(AT_FDCWD, path);
}

/* The walk of another part comes here. */
static bool is_covered(const struct git_parts *parts, const char *path)
{
	cleanup_free char *parent = path_parent(path);

	if (permissions_resolve(parts->permissions, parent, NULL) != ACCESS_WRITE)
		return false;
	for (size_t i = 0; i < parts->count; i++)
		if (path_contains(parts->items[i].path, path))
			return true;
	return false;
}

int git_parts_find(const struct permissions *permissions, struct git_parts *parts,
                   struct error *err)
{
	parts->permissions = permissions;
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		struct git_part part = {.fd = -1};
		cleanup_close int fd = -1;

		if (entry->access != ACCESS_WRITE || !is_in_git(entry->path) ||
		    is_covered(parts, entry->path))
			continue;
		fd = open(entry->path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
			continue;
		if (fd < 0 || clock_gettime(CLOCK_REALTIME_COARSE, &part.began) < 0)
			return error_system(err, "opening \"%s\"", entry->path);
		part.path = xstrdup(entry->path);
		part.fd = keep_fd(&fd);
		search_part(parts, &part, false);
		if (is_git_directory(part.fd, "."))
			remember_states(&part);
		parts->items =
		        xrealloc_array(parts->items, parts->count + 1, sizeof(*parts->items));
		parts->items[parts->count++] = part;
	}
	return 0;
}

static void part_free(struct git_part *part)
{
	for (size_t i = 0; i < part->count; i++) {
		free(part->names[i].path);
		free(part->names[i].target);
	}
	for (size_t i = 0; part->states && i < state_count(); i++)
		free(part->states[i].text.bytes);
	free(part->names);
	free(part->states);
	free(part->path);
	close(part->fd);
}

void git_parts_clean(struct git_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		search_part(parts, &parts->items[i], true);
		judge_states(&parts->items[i]);
		part_free(&parts->items[i]);
	}
	free(parts->items);
	*parts = (struct git_parts){0};
}
