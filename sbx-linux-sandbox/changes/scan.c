#include "changes/scan.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "changes/same_content.h"
#include "fs/directory_names.h"
#include "fs/fd_path.h"
#include "fs/path.h"
#include "kept/put_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

/* What a command makes deeper than that cannot be opened by its whole path, either. */
#define DEPTH_MAX 1000

struct walk {
	const struct state *state;
	size_t root;
	struct changes *changes;
	struct error *err;
	int depth;
};

/* One directory of both sides; -1: it is not there, or does not show through. */
struct pair {
	int upper, host;
	bool pure; /* nothing of the host's shows through */
	const char *path;
};

static bool collect(void *context, const char *name, enum kind kind)
{
	(void)kind;
	strings_add(context, xstrdup(name));
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted; what cannot be listed is an error: a list that was cut would be another result. */
static int names_of(int fd, struct strings *names)
{
	if (lseek(fd, 0, SEEK_SET) < 0 || listing(fd, collect, names) < 0)
		return -1;
	if (names->count > 0)
		qsort(names->items, names->count, sizeof(*names->items), by_name);
	return 0;
}

/* A directory that its owner closed, open for as long as it is looked at. */
static int open_up(int parent, const char *name, struct reopened_directory *opened)
{
	char self[FD_PATH_MAX];
	int list;

	opened->changed = false;
	opened->fd = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (opened->fd < 0)
		return -1;
	list = open(fd_path(opened->fd, self), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (list >= 0 && faccessat(list, ".", X_OK, AT_EACCESS) == 0)
		return list;
	if (list >= 0)
		close(list);
	if (directory_open_up(opened, opened->fd) < 0)
		return -1;
	return open(fd_path(opened->fd, self), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void close_again(struct reopened_directory *opened)
{
	directory_close_again(opened);
	if (opened->fd >= 0)
		close(opened->fd);
}

/* In a directory that may have such files; there they are empty. */
static bool has_whiteout(int parent, const char *name)
{
	char self[FD_PATH_MAX], value[8];
	cleanup_free char *path = xasprintf("%s/%s", fd_path(parent, self), name);

	return lgetxattr(path, "user.overlay.whiteout", value, sizeof(value)) >= 0;
}

static bool is_opaque(int parent, const char *name)
{
	char self[FD_PATH_MAX], value[8];
	cleanup_free char *path = xasprintf("%s/%s", fd_path(parent, self), name);

	return lgetxattr(path, "user.overlay.opaque", value, sizeof(value)) == 1 && value[0] == 'y';
}

static bool is_whiteout(int parent, const char *name, const struct stat *st)
{
	return (S_ISCHR(st->st_mode) && st->st_rdev == makedev(0, 0)) ||
	       (S_ISREG(st->st_mode) && st->st_size == 0 && has_whiteout(parent, name));
}

static bool same_times(const struct stat *a, const struct stat *b)
{
	return a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int broken(struct walk *w, const char *path)
{
	return error_system(w->err, "looking at the changes of \"%s\"", path);
}

static struct change *add(struct walk *w, const char *path, enum change_kind kind,
                          const struct stat *was, const struct stat *now)
{
	struct change *change = changes_add(w->changes, xstrdup(path));

	change->kind = kind;
	change->root = w->root;
	change->had = was != NULL;
	change->has = now != NULL;
	if (was)
		change->was = *was;
	if (now)
		change->now = *now;
	return change;
}

static int deleted(struct walk *w, int parent, const char *name, const char *path,
                   const struct stat *st);

static int all_deleted(struct walk *w, int fd, const char *path)
{
	struct strings names = {0};
	int status = names_of(fd, &names) < 0 ? broken(w, path) : 0;

	for (size_t i = 0; status == 0 && i < names.count; i++) {
		cleanup_free char *below = path_below(path, names.items[i]);
		struct stat st;

		if (fstatat(fd, names.items[i], &st, AT_SYMLINK_NOFOLLOW) == 0)
			status = deleted(w, fd, names.items[i], below, &st);
	}
	strings_free(&names);
	return status;
}

/* What is in a host's directory, whose name is another's or nobody's in the preview. */
static int host_deleted(struct walk *w, int parent, const char *name, const char *path,
                        const struct stat *st)
{
	struct reopened_directory opened;
	cleanup_close int fd = -1;
	int status;

	if (!S_ISDIR(st->st_mode))
		return 0;
	fd = open_up(parent, name, &opened);
	status = fd < 0 ? broken(w, path) : all_deleted(w, fd, path);
	close_again(&opened);
	return status;
}

static int deleted(struct walk *w, int parent, const char *name, const char *path,
                   const struct stat *st)
{
	add(w, path, CHANGE_DELETED, st, NULL);
	return host_deleted(w, parent, name, path, st);
}

static int compare(struct walk *w, const struct pair *at, const char *name, const char *path,
                   const struct stat *was, const struct stat *now);

/* Every name that the host shows, which the preview does not, is gone. */
static int only_host(struct walk *w, const struct pair *at, const struct strings *upper,
                     struct strings *both)
{
	struct strings names = {0};
	int status = names_of(at->host, &names) < 0 ? broken(w, at->path) : 0;

	for (size_t i = 0; status == 0 && i < names.count; i++)
		if (upper->count == 0 || !bsearch(&names.items[i], upper->items, upper->count,
		                                  sizeof(*upper->items), by_name))
			strings_add(both, xstrdup(names.items[i]));
	strings_free(&names);
	return status;
}

static int one(struct walk *w, const struct pair *at, const char *name)
{
	cleanup_free char *path = path_below(at->path, name);
	struct stat now, was;
	bool there = fstatat(at->upper, name, &now, AT_SYMLINK_NOFOLLOW) == 0;
	bool had = at->host >= 0 && fstatat(at->host, name, &was, AT_SYMLINK_NOFOLLOW) == 0;

	if (there && is_whiteout(at->upper, name, &now))
		there = false;
	if (!there)
		return had ? deleted(w, at->host, name, path, &was) : 0;
	return compare(w, at, name, path, had ? &was : NULL, &now);
}

static int directory(struct walk *w, const struct pair *at)
{
	struct strings names = {0};
	int status = names_of(at->upper, &names) < 0 ? broken(w, at->path) : 0;

	if (status == 0 && at->pure && at->host >= 0) {
		struct strings more = {0};

		status = only_host(w, at, &names, &more);
		for (size_t i = 0; i < more.count; i++)
			strings_add(&names, xstrdup(more.items[i]));
		strings_free(&more);
		if (names.count > 0)
			qsort(names.items, names.count, sizeof(*names.items), by_name);
	}
	if (++w->depth > DEPTH_MAX && status == 0)
		status = error_set(w->err, EXIT_INPUT, "preview", "\"%s\": too deep", at->path);
	for (size_t i = 0; status == 0 && i < names.count; i++)
		status = one(w, at, names.items[i]);
	w->depth--;
	strings_free(&names);
	return status;
}

static int below(struct walk *w, const struct pair *at, const char *name, const char *path,
                 const struct stat *was)
{
	bool both = was && S_ISDIR(was->st_mode);
	struct reopened_directory ours = {.fd = -1}, theirs = {.fd = -1};
	cleanup_close int upper = open_up(at->upper, name, &ours);
	cleanup_close int host = both ? open_up(at->host, name, &theirs) : -1;
	int status;
	const struct pair next = {.upper = upper,
	                          .host = host,
	                          .pure = at->pure || is_opaque(at->upper, name),
	                          .path = path};

	status = upper < 0 || (both && host < 0) ? broken(w, path) : directory(w, &next);
	close_again(&theirs);
	close_again(&ours);
	return status;
}

static bool same_type(const struct stat *a, const struct stat *b)
{
	return (a->st_mode & S_IFMT) == (b->st_mode & S_IFMT);
}

static enum change_kind kind_of(const struct stat *was, const struct stat *now, bool same)
{
	if (!same)
		return CHANGE_CONTENT;
	if (was->st_mode != now->st_mode)
		return CHANGE_MODE;
	return S_ISDIR(now->st_mode) ? CHANGE_SAME : CHANGE_TIMES;
}

static int compare(struct walk *w, const struct pair *at, const char *name, const char *path,
                   const struct stat *was, const struct stat *now)
{
	bool directory = S_ISDIR(now->st_mode);
	int same = 1;

	if (!was || !same_type(was, now)) {
		add(w, path, was ? CHANGE_TYPE : CHANGE_ADDED, was, now);
		if (was && host_deleted(w, at->host, name, path, was) < 0)
			return -1;
		return directory ? below(w, at, name, path, NULL) : 0;
	}
	if (!directory)
		same = same_content(at->host, at->upper, name, was, now);
	if (same < 0)
		return broken(w, path);
	/* Copied for being looked at, or put back as it was. */
	if (!directory && same && was->st_mode == now->st_mode && same_times(was, now)) {
		if (now->st_nlink > 1)
			add(w, path, CHANGE_SAME, was, now);
		return 0;
	}
	add(w, path, kind_of(was, now, same), was, now);
	return directory ? below(w, at, name, path, was) : 0;
}

static int compare_changes(const void *a, const void *b)
{
	return path_compare(((const struct change *)a)->path, ((const struct change *)b)->path);
}

static int scan_root(struct walk *w, const struct state_root *root)
{
	const struct pair at = {.upper = root->upper, .host = root->host, .path = root->lower};
	struct stat was, now;

	if (fstat(root->host, &was) < 0 || fstat(root->upper, &now) < 0)
		return broken(w, root->lower);
	add(w, root->lower, kind_of(&was, &now, true), &was, &now);
	return directory(w, &at);
}

int scan(const struct state *state, struct changes *changes, struct error *err)
{
	struct walk w = {.state = state, .changes = changes, .err = err};

	for (w.root = 0; w.root < state->count; w.root++)
		if (scan_root(&w, &state->roots[w.root]) < 0)
			return -1;
	if (changes->count > 0)
		qsort(changes->items, changes->count, sizeof(*changes->items), compare_changes);
	return 0;
}

const char *below_upper(const struct state *state, const struct change *change)
{
	const char *name = change->path + strlen(state->roots[change->root].lower);

	name += *name == '/';
	return *name ? name : ".";
}

char *link_text(const struct state *state, const struct change *change)
{
	cleanup_free char *parent = xstrdup(below_upper(state, change));
	char *slash = strrchr(parent, '/'), target[PATH_MAX];
	const char *last = slash ? slash + 1 : parent;
	cleanup_close int fd = -1;
	ssize_t n;

	if (slash)
		*slash = '\0';
	fd = path_open_beneath(state->roots[change->root].upper, slash ? parent : ".",
	                       O_PATH | O_DIRECTORY | O_NOFOLLOW);
	n = fd < 0 ? -1 : readlinkat(fd, last, target, sizeof(target) - 1);
	if (n < 0)
		return NULL;
	target[n] = '\0';
	return xstrdup(target);
}
