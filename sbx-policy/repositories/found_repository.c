#include "repositories/found_repository.h"

#include "base/cleanup.h"
#include "entries/carve_outs.h"
#include "fs/path.h"
#include "git/other_repositories.h"
#include "git/pointer_file.h"
#include "grant/presets.h"
#include "repositories/named_by_git.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* True when its last name is `.git`, in whatever letters. */
static bool is_called_git(const char *path)
{
	return strcasecmp(strrchr(path, '/'), "/.git") == 0;
}

/* A person who named a `.git` directory, or a place in one, meant all that is in it. */
static bool reopened(const struct workbench *bench, const char *path)
{
	const struct entry *entry;
	const struct origin *origin;

	if (permissions_resolve(&bench->policy->permissions, path, &entry) != ACCESS_WRITE)
		return false;
	origin = policy_origin(bench->policy, entry->path);
	return origin && origin->named && path_has(entry->path, ".git");
}

static int protect_common(struct workbench *bench, const char *gitdir, const char *source,
                          struct error *err);

static bool is_there(const struct trail *trail)
{
	return trail->target && trail->stopped == 0 && S_ISDIR(trail->st.st_mode);
}

/*
 * `text` is a path out of a file of git's, read as git reads it and as a
 * person would: the two differ in blanks at the ends, and a file that means
 * one directory to us and another to git would protect the wrong one.
 */
static int protect_pointed(struct workbench *bench, const char *base, const char *text,
                           const char *source, bool common, struct error *err)
{
	struct trail trail;
	int status = 0;

	if (!text[0])
		return 0;
	if (trail_follow(&trail, base, text, &(struct error){0}) == 0 &&
	    reopened(bench, trail.target)) {
		if (common && is_there(&trail))
			protect_configured(bench, trail.target, base);
		trail_free(&trail);
		return 0;
	}
	trail_free(&trail);
	status = protect_trail(bench, &trail, base, text, source, err);
	if (status == 0 && common && is_there(&trail)) {
		status = protect_common(bench, trail.target, source, err);
		protect_configured(bench, trail.target, base);
	}
	trail_free(&trail);
	return status;
}

/* git follows it where we do not: what it leads to stays as it is. */
static int protect_link(struct workbench *bench, const char *directory, const char *name,
                        const char *source, struct error *err)
{
	struct trail trail;
	int status = protect_trail(bench, &trail, directory, name, source, err);

	trail_free(&trail);
	return status;
}

/* A linked worktree shares hooks and config with the repository it is of. */
static int protect_common(struct workbench *bench, const char *gitdir, const char *source,
                          struct error *err)
{
	struct gitfile file;
	int status;

	if (gitfile_common(&file, gitdir) < 0) {
		bench_missed(bench, errno);
		return errno == ELOOP ? protect_link(bench, gitdir, "commondir", source, err) : 0;
	}
	status = protect_pointed(bench, gitdir, file.exact, source, false, err);
	if (status == 0 && strcmp(file.exact, file.trimmed) != 0)
		status = protect_pointed(bench, gitdir, file.trimmed, source, false, err);
	gitfile_free(&file);
	return status;
}

int protect_git(struct workbench *bench, const char *path, const char *source, struct error *err)
{
	cleanup_free char *base = path_parent(path);
	struct gitfile file;
	struct trail trail;
	int status;

	make_read_only(bench, path, source);
	status = protect_trail(bench, &trail, base, path + strlen(base) + (base[1] != '\0'), source,
	                       err);
	if (status == 0 && trail.target && trail.stopped == 0) {
		cleanup_free char *home = path_parent(trail.target);

		if (S_ISDIR(trail.st.st_mode)) {
			if (!reopened(bench, trail.target))
				status = protect_common(bench, trail.target, source, err);
			protect_configured(bench, trail.target,
			                   is_called_git(path) ? base : trail.target);
		} else if (S_ISREG(trail.st.st_mode) && gitfile_pointer(&file, trail.target) < 0) {
			bench_missed(bench, errno);
		} else if (S_ISREG(trail.st.st_mode)) {
			/* Relative to the file; a link to it is seen from where the link is, too.
			 */
			status = protect_pointed(bench, home, file.exact, "gitdir", true, err);
			if (status == 0)
				status = protect_pointed(bench, home, file.trimmed, "gitdir", true,
				                         err);
			if (status == 0 && strcmp(home, base) != 0)
				status = protect_pointed(bench, base, file.exact, "gitdir", true,
				                         err);
			gitfile_free(&file);
		}
	}
	trail_free(&trail);
	return status;
}

/*
 * Root looks into what others closed.  The command, whose root has no
 * capabilities, does not: nothing in there needs protection, and a mount in
 * there could not be made.
 */
static bool is_closed_by_others(const char *path)
{
	cleanup_free char *at = path_parent(path);
	struct stat st;

	while (geteuid() == 0 && at[1]) {
		char *up;

		if (lstat(at, &st) == 0 && st.st_uid != 0 && !(st.st_mode & (S_IXGRP | S_IXOTH)))
			return true;
		up = path_parent(at);
		free(at);
		at = up;
	}
	return false;
}

void protect_found(struct workbench *bench, const char *path, const char *source)
{
	struct error why = {0};

	if (is_closed_by_others(path))
		return;
	if (protect_git(bench, path, source, &why) < 0)
		protected_less(bench, &why);
	/* Its neighbours configure the next run, and the next agent, in that project. */
	if (is_called_git(path)) {
		cleanup_free char *directory = path_parent(path);

		protect_project(bench, directory, source);
	}
}

void protect_bare(struct workbench *bench, const char *root)
{
	static const char source[] = "bare repository";
	const struct origin *origin = policy_origin(bench->policy, root);
	struct error why = {0};
	enum access access;
	const char *name;

	/* As with a `.git`: who named it meant all that is in it. */
	if (origin && origin->named)
		return;
	for (size_t i = 0; (name = preset_in_git(i, &access)) != NULL; i++) {
		cleanup_free char *path = path_join(root, name);

		if (access == ACCESS_READ && protect_path(bench, path, source, &why) < 0)
			protected_less(bench, &why);
	}
	if (protect_common(bench, root, source, &why) < 0)
		protected_less(bench, &why);
	protect_configured(bench, root, root);
}

void protect_other(struct workbench *bench, const char *path)
{
	static const char source[] = "settings of a repository";
	const char *name = strrchr(path, '/') + 1;
	const struct other_repository *other;

	for (size_t i = 0; (other = other_repository(i)) != NULL; i++) {
		struct error why = {0};
		struct trail trail;

		if (!(other->counts & WHERE_IT_WAS) || strcmp(other->directory, name) != 0)
			continue;
		if (protect_trail(bench, &trail, path, other->file, source, &why) < 0) {
			protected_less(bench, &why);
		} else if (trail.stopped == ENOTDIR) {
			/* A file in place of a directory names that directory. */
			cleanup_free char *pointer = path_parent(trail.target);

			make_read_only(bench, pointer, source);
		}
		trail_free(&trail);
	}
}
