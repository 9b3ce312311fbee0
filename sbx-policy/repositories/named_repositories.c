#include "repositories/named_repositories.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "entries/carve_outs.h"
#include "fs/directory_names.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "git/pointer_file.h"
#include "repositories/found_repository.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>

/* The files are the attacker's; each hint may cost a mount later. */
#define HINTS_MAX 100

/* "path = X" of a line of .gitmodules; NULL for every other line. */
static char *submodule_path(char *line)
{
	size_t len;

	line += strspn(line, " \t");
	if (strncasecmp(line, "path", 4) != 0)
		return NULL;
	line += 4 + strspn(line + 4, " \t");
	if (*line++ != '=')
		return NULL;
	line += strspn(line, " \t");
	len = strlen(line);
	while (len > 0 && isspace((unsigned char)line[len - 1]))
		len--;
	if (len >= 2 && line[0] == '"' && line[len - 1] == '"') {
		line++;
		len -= 2;
	}
	return len > 0 && line[0] != '/' ? xstrndup(line, len) : NULL;
}

static bool is_something(void *context, const char *name, enum kind kind)
{
	(void)name;
	(void)kind;
	*(bool *)context = false;
	return false;
}

static bool is_empty(const char *directory)
{
	cleanup_close int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool empty = true;

	return fd >= 0 && listing(fd, is_something, &empty) >= 0 && empty;
}

/*
 * A submodule that is not checked out is an empty directory.  A `.git` that
 * is planted there runs programs at the next "git status" above it, so the
 * missing name is protected too: with the directory, because git, inside and
 * outside, stops at a stub of that name in it.  Somebody's own root, or one in
 * which there is something, is worked in.
 */
static void protect_checkout(struct workbench *bench, const char *directory)
{
	cleanup_free char *git = path_join(directory, ".git");
	struct error why = {0};

	/* Whoever lets git's settings be written lets "submodule update" fill it. */
	if (bench_has_preset(bench, "git:config") && is_empty(directory))
		return;
	if (!permissions_find(&bench->policy->permissions, directory) && is_empty(directory) &&
	    protect_path(bench, directory, "submodule", &why) == 0)
		return;
	protect_found(bench, git, "submodule");
}

static void protect_submodule(struct workbench *bench, const char *root, const char *path)
{
	struct error why = {0};
	struct trail trail;

	if (trail_follow(&trail, root, path, &why) < 0)
		bench_missed(bench, why.exit == EXIT_SYSTEM ? errno : 0);
	else if (trail.stopped == 0 && S_ISDIR(trail.st.st_mode) &&
	         path_contains(root, trail.target))
		protect_checkout(bench, trail.target);
	trail_free(&trail);
}

static void protect_submodules(struct workbench *bench, const char *root)
{
	cleanup_free char *text = gitfile_text(root, ".gitmodules");
	char *next = text;
	size_t left = HINTS_MAX;

	if (!text)
		bench_missed(bench, errno);
	for (char *line; (line = strsep(&next, "\n")) != NULL;) {
		cleanup_free char *path = submodule_path(line);

		if (!path)
			continue;
		if (left-- == 0) {
			bench->policy->cut = true;
			break;
		}
		protect_submodule(bench, root, path);
	}
}

struct worktrees {
	struct workbench *bench;
	const char *directory; /* .git/worktrees */
	size_t left;
};

/* .git/worktrees/NAME/gitdir is the path of the worktree's own `.git`. */
static bool protect_worktree(void *context, const char *name, enum kind kind)
{
	struct worktrees *worktrees = context;
	cleanup_free char *entry = path_join(worktrees->directory, name);
	cleanup_free char *text = NULL;
	struct error why = {0};
	struct trail trail;

	if (!may_be_directory(kind))
		return true;
	if (worktrees->left-- == 0) {
		worktrees->bench->policy->cut = true;
		return false;
	}
	text = gitfile_text(entry, "gitdir");
	if (!text) {
		bench_missed(worktrees->bench, errno);
		return true;
	}
	text[strcspn(text, "\r\n")] = '\0';
	if (!text[0])
		return true;
	if (trail_follow(&trail, entry, text, &why) < 0)
		bench_missed(worktrees->bench, why.exit == EXIT_SYSTEM ? errno : 0);
	else if (trail.stopped == 0)
		protect_found(worktrees->bench, trail.target, "worktree");
	trail_free(&trail);
	return true;
}

static void protect_worktrees(struct workbench *bench, const char *root)
{
	cleanup_free char *directory = path_join(root, ".git/worktrees");
	cleanup_close int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct worktrees worktrees = {.bench = bench, .directory = directory, .left = HINTS_MAX};

	if (fd < 0) {
		bench_missed(bench, errno);
	} else if (listing(fd, protect_worktree, &worktrees) < 0) {
		bench_missed(bench, errno);
		bench->policy->cut = true;
	}
}

void protect_hinted(struct workbench *bench, const char *root)
{
	protect_submodules(bench, root);
	protect_worktrees(bench, root);
}
