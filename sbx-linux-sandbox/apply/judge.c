#include "apply/judge.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "git/other_repositories.h"
#include "policy/protected_names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool is_left_out(const struct change *c)
{
	return c->kind == CHANGE_ADDED && S_ISSOCK(c->now.st_mode);
}

static bool is_written(const struct permissions *permissions, const char *path)
{
	return permissions_resolve(permissions, path, NULL) == ACCESS_WRITE;
}

/* A directory that goes takes all that is in it along. */
static bool holds_protected(const struct permissions *permissions, const char *path)
{
	for (size_t i = 0; i < permissions->count; i++)
		if (path_contains(path, permissions->entries[i].path) &&
		    permissions->entries[i].access != ACCESS_WRITE)
			return true;
	return false;
}

static bool is_allowed(const struct permissions *permissions, const struct change *c)
{
	/* What it says of the directory of a single file is nothing; a file of many names may get
	 * others. */
	if (c->kind == CHANGE_SAME && S_ISDIR(c->now.st_mode))
		return true;
	return is_written(permissions, c->path) &&
	       !(change_removes(c) && holds_protected(permissions, c->path));
}

/*
 * Of a repository's own files, what git only reads; the rest it would follow or run, as the
 * lines of a rebase that goes on.
 */
static const char *const plain_in_git[] = {
        "objects",     "refs",       "logs",       "index",       "packed-refs",
        "HEAD",        "ORIG_HEAD",  "FETCH_HEAD", "MERGE_HEAD",  "CHERRY_PICK_HEAD",
        "REVERT_HEAD", "AUTO_MERGE", "MERGE_MODE", "MERGE_RR",    "rr-cache",
        "MERGE_MSG",   "SQUASH_MSG", "shallow",    "REBASE_HEAD", "COMMIT_EDITMSG",
        "TAG_EDITMSG", NULL,
};

/* Beside these are the names of other places that git takes objects from. */
static const char *const plain_in_objects_info[] = {"packs", "commit-graph", "commit-graphs", NULL};

/* What follows ".git/" in the path, where the host has that repository; NULL: nothing. */
static const char *in_git(const char *path)
{
	for (const char *at = path; (at = strstr(at, "/.git/")) != NULL; at++) {
		cleanup_free char *git = xstrndup(path, (size_t)(at - path) + 5);
		struct stat st;

		if (lstat(git, &st) == 0)
			return at + 6;
	}
	return NULL;
}

static bool is_plain_in_git(const struct change *c, const char *name)
{
	static const char info[] = "objects/info/";
	bool in_info = strncmp(name, info, sizeof(info) - 1) == 0;
	cleanup_free char *first = NULL;

	if (c->has && !S_ISREG(c->now.st_mode) && !S_ISDIR(c->now.st_mode))
		return false;
	name += in_info ? sizeof(info) - 1 : 0;
	first = xstrndup(name, strcspn(name, "/"));
	return word_among(first, in_info ? plain_in_objects_info : plain_in_git);
}

static bool exists_after(const struct changes *changes, const char *directory, const char *name)
{
	cleanup_free char *path = path_below(directory, name);
	const struct change *c = changes_find(changes, path);
	struct stat st;

	return c ? c->has : lstat(path, &st) == 0;
}

/* A directory whose .git the policy keeps: git must not take it for a bare repository. */
static bool makes_repository(const struct judges *j, const struct changes *changes,
                             const struct change *c)
{
	cleanup_free char *directory = path_parent(c->path);
	cleanup_free char *git = path_below(directory, ".git");

	if (!c->has || strcmp(strrchr(c->path, '/'), "/HEAD") != 0 ||
	    !(permissions_find(j->then, git) || permissions_find(j->now, git)))
		return false;
	return exists_after(changes, directory, "objects") ||
	       exists_after(changes, directory, "commondir");
}

/* The settings of another version control, where there was no repository of it. */
static bool makes_other_repository(const struct judges *j, const struct change *c)
{
	const struct other_repository *other;

	for (size_t i = 0; c->has && (other = other_repository(i)) != NULL; i++) {
		cleanup_free char *end = xasprintf("/%s/%s", other->directory, other->file);
		size_t len = strlen(c->path), tail = strlen(end);
		cleanup_free char *root = NULL;
		cleanup_free char *git = NULL;

		if (!(other->counts & WHERE_IT_IS_NEW) || len <= tail ||
		    strcmp(c->path + len - tail, end) != 0)
			continue;
		root = xstrndup(c->path, len - tail);
		git = path_below(root, ".git");
		if (permissions_find(j->then, git) || permissions_find(j->now, git))
			return true;
	}
	return false;
}

/* No run can leave behind a program that runs as its owner. */
static bool adds_privilege(const struct change *c)
{
	mode_t had = c->had && S_ISREG(c->was.st_mode) ? c->was.st_mode : 0;

	return c->has && !S_ISLNK(c->now.st_mode) && (c->now.st_mode & ~had & S_ISUID);
}

static bool is_ordinary(const struct change *c)
{
	mode_t mode = c->now.st_mode;

	return !c->has || S_ISREG(mode) || S_ISDIR(mode) || S_ISLNK(mode) || S_ISFIFO(mode);
}

const char *judge(const struct judges *j, const struct changes *changes, const struct change *c)
{
	const char *git = in_git(c->path);

	if (!is_allowed(j->then, c))
		return "is protected or outside the writable roots of the run";
	if (!is_allowed(j->now, c))
		return "is protected or outside the writable roots by now";
	if (!is_ordinary(c) && !is_left_out(c))
		return "is a device or a socket";
	if (adds_privilege(c))
		return "is set-user-id";
	if (git && c->kind != CHANGE_SAME && !is_plain_in_git(c, git))
		return "is a part of a repository that git follows or runs";
	if (makes_repository(j, changes, c))
		return "makes a git repository of a writable root, and git runs what its config "
		       "names";
	if (makes_other_repository(j, c))
		return "are the settings of a repository that the command made, and run programs";
	return NULL;
}
