#include "repositories/planted_head.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "fs/path.h"
#include "git/repository.h"
#include "kept/put_aside.h"
#include "policy/slash_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has(int root, const char *name, struct stat *st)
{
	return fstatat(root, name, st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* What git wants to read in it: a branch, or the digits of a commit. */
static bool names_something(const char *text)
{
	if (strncmp(text, "ref:", 4) == 0)
		return strncmp(text + 4 + strspn(text + 4, " \t\n\r"), "refs/", 5) == 0;
	return strspn(text, "0123456789abcdefABCDEF") >= 40;
}

/* A command that could write it may have spoiled it; then git goes past it. */
static bool has_valid_head(int root)
{
	char text[256];
	ssize_t n = readlinkat(root, ".git/HEAD", text, sizeof(text) - 1);
	cleanup_close int fd = -1;

	if (n >= 0) {
		text[n] = '\0';
		return strncmp(text, "refs/", 5) == 0;
	}
	fd = openat(root, ".git/HEAD", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	n = fd < 0 ? -1 : read_full(fd, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	return names_something(text);
}

/* One that git takes: an empty directory is what a run keeps there, or as good as none. */
static bool has_own_git(int root)
{
	struct stat st;

	return has(root, ".git", &st) &&
	       (S_ISREG(st.st_mode) || (is_git_directory(root, ".git") && has_valid_head(root)));
}

static bool is_named(const char *path, const char *name)
{
	return strcmp(strrchr(path, '/') + 1, name) == 0;
}

bool is_closed_head(const struct permissions *permissions, const char *path)
{
	cleanup_free char *parent = path_parent(path);
	cleanup_free char *git = path_below(parent, ".git");
	const struct entry *entry = permissions_find(permissions, git);

	return is_named(path, "HEAD") && entry && entry->access == ACCESS_WRITE;
}

/* Only what the command may write around; what is private is nobody's. */
static bool is_asked_for(const struct permissions *permissions, const char *private_tmp,
                         const struct entry *entry)
{
	cleanup_free char *parent = path_parent(entry->path);

	return (is_named(entry->path, ".git") ||
	        (entry->access != ACCESS_WRITE && is_closed_head(permissions, entry->path))) &&
	       permissions_resolve(permissions, parent, NULL) == ACCESS_WRITE &&
	       !(private_tmp && tmp_decides(permissions, private_tmp, parent));
}

static void let_go(struct plain_root *root)
{
	if (root->fd >= 0)
		close(root->fd);
	free(root->path);
}

static void add(struct plain_roots *roots, struct plain_root root)
{
	list_add(roots->items, roots->count, root);
}

/* 1: to be looked at in the end; 0: not; -1. */
static int is_concerned(const struct plain_root *root, struct error *err)
{
	struct stat st;

	if (root->beside && is_git_directory(root->fd, "."))
		return error_set(err, EXIT_INPUT, "two-repositories",
		                 "\"%s\": is a bare repository beside its .git, and git would use "
		                 "it if the command spoiled that; rename its HEAD",
		                 root->path);
	if (root->closed)
		return !has(root->fd, "HEAD", &st);
	/* A HEAD alone may be there already: the command before this one made it. */
	return root->beside || (!has_own_git(root->fd) && !is_git_directory(root->fd, "."));
}

/* 1: opened, 0: no directory, -1. */
static int open_root(const struct permissions *permissions, const struct entry *entry,
                     struct plain_root *root, struct error *err)
{
	bool git = is_named(entry->path, ".git");

	root->closed = !git && is_closed_head(permissions, entry->path);
	root->beside = git && entry->access == ACCESS_WRITE;
	root->fd = open(root->path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (root->fd >= 0)
		return 1;
	if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
		return 0;
	return error_system(err, "opening \"%s\"", root->path);
}

int plain_roots_find(const struct permissions *permissions, const char *private_tmp,
                     struct plain_roots *roots, struct error *err)
{
	int got = 0;

	for (size_t i = 0; got >= 0 && i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		struct plain_root root = {.fd = -1};

		if (!is_asked_for(permissions, private_tmp, entry))
			continue;
		root.path = path_parent(entry->path);
		got = open_root(permissions, entry, &root, err);
		if (got > 0)
			got = is_concerned(&root, err);
		if (got > 0)
			add(roots, root);
		else
			let_go(&root);
	}
	return got < 0 ? -1 : 0;
}

/* Beside a .git, any repository is one too many. */
static bool is_planted(const struct plain_root *root)
{
	struct stat st;

	return (root->closed && has(root->fd, "HEAD", &st)) ||
	       (root->beside && is_git_directory(root->fd, "."));
}

const struct plain_root *plain_roots_look(const struct plain_roots *roots)
{
	for (size_t i = 0; i < roots->count; i++)
		if (is_planted(&roots->items[i]))
			return &roots->items[i];
	return NULL;
}

static void disarm(const struct plain_root *root)
{
	char name[NAME_MAX + 1];

	if (put_aside(root->fd, "HEAD", "HEAD.sbx", name) == 0)
		complain(
		        "the command turned \"%s\" into a git repository; its HEAD was renamed to %s "
		        "so that git ignores it",
		        root->path, name);
	else
		complain("the command turned \"%s\" into a git repository, and git runs what its "
		         "config names; remove its HEAD before you use git there (renaming it: %s)",
		         root->path, strerror(errno));
}

static void judge(const struct plain_root *root)
{
	struct stat st;

	if (!has(root->fd, "HEAD", &st)) {
		if (errno != ENOENT)
			complain(
			        "\"%s\": whether it is a git repository now is not known; HEAD: %s",
			        root->path, strerror(errno));
		return;
	}
	/* In /tmp it may be a stranger's, of which git takes no notice. */
	if (root->closed ||
	    (st.st_uid == geteuid() && !has_own_git(root->fd) && is_git_directory(root->fd, ".")))
		disarm(root);
}

void plain_roots_restore(struct plain_roots *roots)
{
	for (size_t i = 0; i < roots->count; i++) {
		judge(&roots->items[i]);
		let_go(&roots->items[i]);
	}
	free(roots->items);
	*roots = (struct plain_roots){0};
}
