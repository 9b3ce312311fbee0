#include "repositories/nested_repositories.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "entries/carve_outs.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "git/other_repositories.h"
#include "git/repository.h"
#include "policy/slash_tmp.h"
#include "repositories/found_repository.h"
#include "repositories/remembered_repositories.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

/*
 * What a walk may cost.  Measured on ext4 with a warm cache: about 8 us to open
 * and list a directory, 0.35 us for each name in it, and 2 us to ask for its
 * `.git` alone.  So the first directories are listed, and those found last are
 * only asked.
 */
static const struct budget {
	size_t lists;
	size_t probes;
	size_t names;
} budgets[] = {
        [PLACE_WORKSPACE] = {96, 128, 1500}, /* the upper levels of a usual project */
        [PLACE_ROOT] = {48, 64, 800},
        /* Shared and short-lived; nobody runs git there by habit. */
        [PLACE_TEMPORARY] = {1, 16, 200},
};

/* Full of directories that others made: looked into when all else has been. */
static const char *const late_names[] = {
        "node_modules", /* npm */
        "target",       /* cargo, maven */
        "build",        /* many */
        "dist",         /* many */
        "venv",         /* python */
        "__pycache__",  /* python */
        "Pods",         /* cocoapods */
        NULL,
};

struct queue {
	char **paths; /* relative to the root; "" is the root itself */
	size_t head, tail;
};

struct walk {
	struct workbench *bench;
	struct remembered *remembered;
	const char *root;
	int fd; /* of the root */
	dev_t device;
	struct budget left;
	struct queue soon, late;
	int directory;  /* being listed */
	const char *at; /* its name in the queue */
	bool at_late;
	bool at_head;      /* it holds a HEAD */
	bool in_git;       /* the root is a repository's own: worktrees in it are its parts */
	bool shared_tmp;   /* the root is the host's /tmp */
	bool shared;       /* strangers can put repositories here */
	bool counts_links; /* the file system counts a directory's subdirectories */
};

/* Others say 1 or 2 of every directory; only these are known to count. */
static bool counts_links(int fd)
{
#ifdef __linux__
	static const unsigned long magic[] = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, TMPFS_MAGIC,
	                                      F2FS_SUPER_MAGIC};
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	for (size_t i = 0; i < sizeof(magic) / sizeof(magic[0]); i++)
		if ((unsigned long)fs.f_type == magic[i])
			return true;
#else
	(void)fd;
#endif
	return false;
}

static bool is_late(const char *name)
{
	/* Hidden directories are caches and settings of tools. */
	return name[0] == '.' || word_among(name, late_names);
}

/* No more than can be looked at later, so that a huge directory costs only its names. */
static bool is_full(const struct walk *walk, const struct queue *queue)
{
	return queue->tail - queue->head >= walk->left.lists + walk->left.probes;
}

static void push(struct queue *queue, char *relative)
{
	list_add(queue->paths, queue->tail, relative);
}

/* What was pushed since. */
static void drop(struct queue *queue, size_t tail)
{
	while (queue->tail > tail)
		free(queue->paths[--queue->tail]);
}

static char *pop(struct walk *walk)
{
	struct queue *queue = walk->soon.head < walk->soon.tail ? &walk->soon : &walk->late;

	walk->at_late = queue == &walk->late;
	return queue->head < queue->tail ? queue->paths[queue->head++] : NULL;
}

/* On a file system that folds case, `.GIT` is a repository as well. */
static bool is_git(int directory, const char *name)
{
	struct stat st;

	if (strcasecmp(name, ".git") != 0)
		return false;
	return name[1] == 'g' && name[2] == 'i' && name[3] == 't'
	               ? true
	               : fstatat(directory, ".git", &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* relative: a `.git`, or a bare repository */
static void found(struct walk *walk, const char *relative)
{
	cleanup_free char *path = path_join(walk->root, relative);

	if (walk->shared && !is_own(path))
		return;
	protect_found(walk->bench, path, "nested repository");
	/* The root's own `.git` is looked for by its name. */
	if (strchr(relative, '/') || strcasecmp(relative, ".git") != 0)
		remembered_add(walk->remembered, relative);
}

static void found_git(struct walk *walk, const char *at, const char *name)
{
	cleanup_free char *relative = path_below(at, name);

	found(walk, relative);
}

/* Of Mercurial, for one: it is written by every command, but for its settings. */
static void found_other(struct walk *walk, const char *at, const char *name)
{
	cleanup_free char *relative = path_below(at, name);
	cleanup_free char *path = path_join(walk->root, relative);

	if (walk->shared && !is_own(path))
		return;
	protect_other(walk->bench, path);
	remembered_add(walk->remembered, relative);
}

static bool is_plain_directory(const struct walk *walk, const char *name)
{
	struct stat st;

	return fstatat(walk->directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* A directory with a HEAD in it.  True when it is protected whole. */
static bool judge_bare(struct walk *walk, const char *at)
{
	if (walk->in_git || !is_git_directory(walk->directory, "."))
		return false;
	if (at[0]) {
		found(walk, at);
		return true;
	}
	walk->in_git = true;
	if (!walk->shared)
		protect_bare(walk->bench, walk->root);
	return false;
}

/*
 * Where the helper keeps what other workspaces have for /tmp: ours is hidden,
 * and those of other users are closed.
 */
static bool is_hidden_place(const struct walk *walk, const char *name)
{
	struct stat st;

	return walk->shared_tmp && !walk->at[0] && strncmp(name, ".sbx-", 5) == 0 &&
	       (is_tmp_place(name) ||
	        (fstatat(walk->directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	         st.st_uid != geteuid() && !(st.st_mode & S_IWOTH)));
}

static bool visit(void *context, const char *name, enum kind kind)
{
	struct walk *walk = context;
	struct queue *queue;
	struct stat st;

	if (walk->left.names == 0) {
		walk->bench->policy->cut = true;
		return false;
	}
	walk->left.names--;
	if (name[0] == '.' && is_hidden_place(walk, name))
		return true;
	if (name[0] == '.' && is_git(walk->directory, name)) {
		found_git(walk, walk->at, name);
		return true;
	}
	if (may_be_directory(kind) && is_other_repository(name) && is_plain_directory(walk, name)) {
		found_other(walk, walk->at, name);
		return true;
	}
	walk->at_head |= strcasecmp(name, "HEAD") == 0;
	if (!may_be_directory(kind))
		return true;
	if (kind == KIND_UNKNOWN) {
		if (fstatat(walk->directory, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
			bench_missed(walk->bench, errno);
			return true;
		}
		if (!S_ISDIR(st.st_mode))
			return true;
	}
	queue = walk->at_late || is_late(name) ? &walk->late : &walk->soon;
	if (is_full(walk, queue))
		walk->bench->policy->cut = true;
	else
		push(queue, path_below(walk->at, name));
	return true;
}

/* What was not seen could hold a repository. */
static void missed(const struct walk *walk, int number)
{
	walk->bench->policy->cut = true;
	bench_missed(walk->bench, number);
}

/* Not ours and closed to us: then it is closed to the command as well. */
static bool is_foreign(const struct walk *walk, const char *at)
{
	struct stat st;

	return fstatat(walk->fd, at, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_uid != geteuid();
}

/* No subdirectory, by the count of links: then only a pointer file can be in it. */
static bool is_leaf(const struct walk *walk, const char *at)
{
	struct stat st;

	return walk->counts_links && at[0] &&
	       fstatat(walk->fd, at, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode) &&
	       st.st_nlink == 2 && st.st_dev == walk->device;
}

static bool has_git(const struct walk *walk, const char *at)
{
	cleanup_free char *git = path_below(at, ".git");
	struct stat st;
	int number;

	if (fstatat(walk->fd, git, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return true;
	number = errno;
	if (number != ENOENT && number != ENOTDIR && !(number == EACCES && is_foreign(walk, at)))
		missed(walk, number);
	return false;
}

static void list(struct walk *walk, const char *at)
{
	cleanup_close int fd =
	        path_open_beneath(walk->fd, at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
	int number = errno;
	size_t soon, late;
	struct stat st;

	if (fd < 0) {
		if (number != ENOENT && !(number == EACCES && is_foreign(walk, at)))
			missed(walk, number);
		return;
	}
	if (fstat(fd, &st) < 0) {
		missed(walk, errno);
		return;
	}
	/* Another file system may be a dead server that never answers. */
	if (st.st_dev != walk->device) {
		walk->bench->policy->cut = true;
		return;
	}
	walk->directory = fd;
	walk->at = at;
	walk->at_head = false;
	soon = walk->soon.tail;
	late = walk->late.tail;
	if (listing(fd, visit, walk) < 0)
		missed(walk, errno);
	if (walk->at_head && judge_bare(walk, at)) {
		drop(&walk->soon, soon);
		drop(&walk->late, late);
	}
}

static void probe(struct walk *walk, const char *at)
{
	walk->left.probes--;
	walk->bench->policy->walked++;
	walk->bench->policy->cut = true;
	if (has_git(walk, at))
		found_git(walk, at, ".git");
}

static void look(struct walk *walk, const char *at)
{
	cleanup_free char *path = path_below(walk->root, at);

	/* Another root has a walk of its own, and what is protected needs none. */
	if (at[0] && permissions_find(&walk->bench->policy->permissions, path))
		return;
	if (walk->left.lists > 0 && walk->left.names > 0) {
		walk->left.lists--;
		walk->bench->policy->walked++;
		if (!is_leaf(walk, at))
			list(walk, at);
		else if (has_git(walk, at))
			found_git(walk, at, ".git");
	} else if (walk->left.probes > 0) {
		probe(walk, at);
	} else {
		walk->bench->policy->cut = true;
	}
}

void protect_nested(struct workbench *bench, const char *root, enum place place,
                    struct remembered *remembered)
{
	cleanup_close int fd = open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct walk walk = {.bench = bench,
	                    .remembered = remembered,
	                    .root = root,
	                    .fd = fd,
	                    .left = budgets[place],
	                    .in_git = path_has(root, ".git"),
	                    .shared = place == PLACE_TEMPORARY};
	cleanup_free char *tmp = slash_tmp();
	struct stat st;
	char *at;

	if (fd < 0 || fstat(fd, &st) < 0) {
		missed(&walk, errno);
		return;
	}
	walk.device = st.st_dev;
	walk.shared_tmp = tmp && strcmp(root, tmp) == 0;
	walk.counts_links = counts_links(fd);
	push(&walk.soon, xstrdup(""));
	while ((at = pop(&walk)) != NULL) {
		look(&walk, at);
		free(at);
	}
	free(walk.soon.paths);
	free(walk.late.paths);
}
