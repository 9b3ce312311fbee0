#include "git/repository.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "git/git_config.h"
#include "git/pointer_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* The canonical directory that text names from base; NULL: there is none. */
static char *directory_of(const char *base, const char *text)
{
	struct error none = {0};
	struct trail trail;
	char *found = NULL;

	if (text[0] && trail_follow(&trail, base, text, &none) == 0 && trail.stopped == 0 &&
	    S_ISDIR(trail.st.st_mode))
		found = xstrdup(trail.target);
	if (text[0])
		trail_free(&trail);
	return found;
}

/* True when text, read from base, names exactly this file. */
static bool names(const char *base, const char *text, const char *path)
{
	struct error none = {0};
	struct trail trail;
	bool same;

	if (!text[0])
		return false;
	same = trail_follow(&trail, base, text, &none) == 0 && trail.stopped == 0 &&
	       strcmp(trail.target, path) == 0;
	trail_free(&trail);
	return same;
}

/* The first line of a small file of git's. */
static char *line_of(const char *directory, const char *name)
{
	char *text = gitfile_text(directory, name);

	if (text)
		text[strcspn(text, "\r\n")] = '\0';
	return text;
}

/* MAIN/.git/worktrees/NAME, whose back-pointer names our `.git`. */
static bool is_worktree(struct repository *repository, const char *pointer, const char *gitdir)
{
	cleanup_free char *worktrees = path_parent(gitdir);
	cleanup_free char *common = path_parent(worktrees);
	cleanup_free char *back = line_of(gitdir, "gitdir");
	cleanup_free char *shared = line_of(gitdir, "commondir");
	cleanup_free char *shared_path = shared ? directory_of(gitdir, shared) : NULL;
	struct stat st;

	if (strcmp(strrchr(worktrees, '/'), "/worktrees") != 0 || !back ||
	    !names(gitdir, back, pointer) || !shared_path || strcmp(shared_path, common) != 0)
		return false;
	repository->gitdir = xstrdup(gitdir);
	repository->common = xstrdup(common);
	if (strcmp(strrchr(common, '/'), "/.git") == 0 && lstat(common, &st) == 0 &&
	    S_ISDIR(st.st_mode))
		repository->main = path_parent(common);
	return true;
}

static bool is_worktree_key(void *context, const char *section, const char *key)
{
	(void)context;
	return strcmp(section, "core") == 0 && strcmp(key, "worktree") == 0;
}

static void keep_value(void *context, const char *section, const char *key, const char *value)
{
	char **kept = context;

	(void)section;
	(void)key;
	free(*kept);
	*kept = xstrdup(value);
}

/* The value of core.worktree, which git writes into a submodule's configuration. */
static char *configured_worktree(const char *gitdir)
{
	char *found = NULL;
	const struct gitconfig_reader reader = {is_worktree_key, keep_value, &found};

	gitconfig_read(gitdir, &reader);
	return found;
}

/* SUPER/.git/modules/NAME, whose core.worktree is our root, in SUPER. */
static bool is_submodule(struct repository *repository, const char *gitdir)
{
	cleanup_free char *back = configured_worktree(gitdir);
	cleanup_free char *root = back ? directory_of(gitdir, back) : NULL;
	const char *modules = strstr(gitdir, "/.git/modules/");
	cleanup_free char *super = modules ? xstrndup(gitdir, (size_t)(modules - gitdir)) : NULL;

	if (!root || !super || strcmp(root, repository->root) != 0 ||
	    !path_contains(super, repository->root))
		return false;
	repository->gitdir = xstrdup(gitdir);
	repository->common = xstrdup(gitdir);
	return true;
}

static void follow_pointer(struct repository *repository, const char *pointer)
{
	cleanup_free char *gitdir = NULL;
	struct gitfile file;

	if (gitfile_pointer(&file, pointer) < 0)
		return;
	/* One file that can be read in two ways proves nothing. */
	if (strcmp(file.exact, file.trimmed) == 0)
		gitdir = directory_of(repository->root, file.exact);
	gitfile_free(&file);
	if (gitdir && path_depth(gitdir) > 2 && !is_worktree(repository, pointer, gitdir))
		is_submodule(repository, gitdir);
}

/* What lies under this name in path; a link as it is, or followed. */
static bool has(int at, const char *path, const char *name, int flags, struct stat *st)
{
	cleanup_free char *whole = xasprintf("%s/%s", path, name);

	return fstatat(at, whole, st, flags) == 0;
}

static bool has_head(int at, const char *git)
{
	struct stat st;

	return has(at, git, "HEAD", AT_SYMLINK_NOFOLLOW, &st) && !S_ISDIR(st.st_mode);
}

bool is_git_directory(int at, const char *path)
{
	struct stat st;

	if (!has_head(at, path))
		return false;
	/* What "commondir" names holds the rest. */
	return has(at, path, "commondir", AT_SYMLINK_NOFOLLOW, &st) ||
	       (has(at, path, "objects", 0, &st) && S_ISDIR(st.st_mode) &&
	        has(at, path, "refs", 0, &st) && S_ISDIR(st.st_mode));
}

bool inside_git_directory(const char *path)
{
	cleanup_free char *at = xstrdup(path);

	while (at[1]) {
		char *up;

		if (is_git_directory(AT_FDCWD, at))
			return true;
		up = path_parent(at);
		free(at);
		at = up;
	}
	return false;
}

void repository_find(struct repository *repository, const char *directory)
{
	cleanup_free char *at = xstrdup(directory);

	*repository = (struct repository){0};
	for (;;) {
		cleanup_free char *git = path_join(at, ".git");
		struct stat st;
		char *up;

		if (lstat(git, &st) == 0) {
			if (S_ISLNK(st.st_mode))
				return;
			if (S_ISREG(st.st_mode)) {
				repository->root = xstrdup(at);
				follow_pointer(repository, git);
				break;
			}
			if (S_ISDIR(st.st_mode) && has_head(AT_FDCWD, git)) {
				repository->root = xstrdup(at);
				repository->gitdir = keep_ptr(git);
				repository->common = xstrdup(repository->gitdir);
				break;
			}
		}
		if (at[1] == '\0')
			return;
		up = path_parent(at);
		free(at);
		at = up;
	}
	if (!repository->main)
		repository->main = xstrdup(repository->root);
}

void repository_free(struct repository *repository)
{
	free(repository->root);
	free(repository->gitdir);
	free(repository->common);
	free(repository->main);
	*repository = (struct repository){0};
}
