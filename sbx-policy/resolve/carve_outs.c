#include "resolve/carve_outs.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "git/other_repositories.h"
#include "git/pointer_file.h"
#include "grant/presets.h"
#include "policy/protected_names.h"
#include "policy/slash_tmp.h"
#include "process/sibling.h"
#include "repositories/named_by_git.h"
#include "trust/home_files.h"
#include "trust/settings_home.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

bool inside_git(const char *path)
{
	return path_has(path, ".git");
}

static void make_read_only(struct policy *policy, const char *path, const char *source)
{
	if (permissions_resolve(&policy->permissions, path, NULL) == ACCESS_WRITE &&
	    !policy_is_private(policy, path))
		policy_add(policy, path, ACCESS_READ, source, false);
}

int protect_trail(struct policy *policy, struct trail *trail, const char *base, const char *path,
                  const char *source, struct error *err)
{
	struct error why = {0};
	int status = trail_follow(trail, base, path, &why);

	for (size_t i = 0; i < trail->count; i++)
		make_read_only(policy, trail->links[i], source);
	if (status == 0) {
		make_read_only(policy, trail->target, source);
		return 0;
	}
	/* Links that lead in a circle lead nowhere as long as they stay as they are. */
	if (strcmp(why.code, "link-loop") == 0)
		return 0;
	return error_set(err, why.exit, why.code, "%s under \"%s\": %s", source, base, why.message);
}

int protect_path(struct policy *policy, const char *path, const char *source, struct error *err)
{
	cleanup_free char *base = NULL;
	struct trail trail;
	struct stat st;
	int status;

	make_read_only(policy, path, source);
	/* Usual: it is no link, or nothing, and leads nowhere else. */
	if (lstat(path, &st) == 0 ? !S_ISLNK(st.st_mode) : errno == ENOENT)
		return 0;
	base = path_parent(path);
	status = protect_trail(policy, &trail, base, path + strlen(base) + (base[1] != '\0'),
	                       source, err);
	trail_free(&trail);
	return status;
}

/* A person who named a `.git` directory, or a place in one, meant all that is in it. */
static bool reopened(const struct policy *policy, const char *path)
{
	const struct entry *entry;
	const struct origin *origin;

	if (permissions_resolve(&policy->permissions, path, &entry) != ACCESS_WRITE)
		return false;
	origin = policy_origin(policy, entry->path);
	return origin && origin->named && inside_git(entry->path);
}

static int protect_common(struct policy *policy, const char *gitdir, const char *source,
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
static int protect_pointed(struct policy *policy, const char *base, const char *text,
                           const char *source, bool common, struct error *err)
{
	struct trail trail;
	int status = 0;

	if (!text[0])
		return 0;
	if (trail_follow(&trail, base, text, &(struct error){0}) == 0 &&
	    reopened(policy, trail.target)) {
		if (common && is_there(&trail))
			protect_configured(policy, trail.target, base);
		trail_free(&trail);
		return 0;
	}
	trail_free(&trail);
	status = protect_trail(policy, &trail, base, text, source, err);
	if (status == 0 && common && is_there(&trail)) {
		status = protect_common(policy, trail.target, source, err);
		protect_configured(policy, trail.target, base);
	}
	trail_free(&trail);
	return status;
}

/* git follows it where we do not: what it leads to stays as it is. */
static int protect_link(struct policy *policy, const char *directory, const char *name,
                        const char *source, struct error *err)
{
	struct trail trail;
	int status = protect_trail(policy, &trail, directory, name, source, err);

	trail_free(&trail);
	return status;
}

/* A linked worktree shares hooks and config with the repository it is of. */
static int protect_common(struct policy *policy, const char *gitdir, const char *source,
                          struct error *err)
{
	struct gitfile file;
	int status;

	if (gitfile_common(&file, gitdir) < 0) {
		protect_missed(policy, errno);
		return errno == ELOOP ? protect_link(policy, gitdir, "commondir", source, err) : 0;
	}
	status = protect_pointed(policy, gitdir, file.exact, source, false, err);
	if (status == 0 && strcmp(file.exact, file.trimmed) != 0)
		status = protect_pointed(policy, gitdir, file.trimmed, source, false, err);
	gitfile_free(&file);
	return status;
}

/* Every other name is that of a bare repository, which has no files around it. */
static bool is_called_git(const char *path)
{
	return strcasecmp(strrchr(path, '/'), "/.git") == 0;
}

int protect_git(struct policy *policy, const char *path, const char *source, struct error *err)
{
	cleanup_free char *base = path_parent(path);
	struct gitfile file;
	struct trail trail;
	int status;

	make_read_only(policy, path, source);
	status = protect_trail(policy, &trail, base, path + strlen(base) + (base[1] != '\0'),
	                       source, err);
	if (status == 0 && trail.target && trail.stopped == 0) {
		cleanup_free char *home = path_parent(trail.target);

		if (S_ISDIR(trail.st.st_mode)) {
			if (!reopened(policy, trail.target))
				status = protect_common(policy, trail.target, source, err);
			protect_configured(policy, trail.target,
			                   is_called_git(path) ? base : trail.target);
		} else if (S_ISREG(trail.st.st_mode) && gitfile_pointer(&file, trail.target) < 0) {
			protect_missed(policy, errno);
		} else if (S_ISREG(trail.st.st_mode)) {
			/* Relative to the file; a link to it is seen from where the link is, too.
			 */
			status = protect_pointed(policy, home, file.exact, "gitdir", true, err);
			if (status == 0)
				status = protect_pointed(policy, home, file.trimmed, "gitdir", true,
				                         err);
			if (status == 0 && strcmp(home, base) != 0)
				status = protect_pointed(policy, base, file.exact, "gitdir", true,
				                         err);
			gitfile_free(&file);
		}
	}
	trail_free(&trail);
	return status;
}

void protect_missed(struct policy *policy, int number)
{
	if (error_is_ours(number))
		policy->failed = number;
}

static void protected_less(struct policy *policy, const struct error *why)
{
	if (why->exit == EXIT_SYSTEM)
		protect_missed(policy, errno);
	notes_add(&policy->notes, "%s: only the file itself is protected", why->message);
	policy->cut = true;
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

void protect_found(struct policy *policy, const char *path, const char *source)
{
	struct error why = {0};

	if (is_closed_by_others(path))
		return;
	if (protect_git(policy, path, source, &why) < 0)
		protected_less(policy, &why);
	/* Its neighbours configure the next run, and the next agent, in that project. */
	if (strcasecmp(strrchr(path, '/'), "/.git") == 0) {
		cleanup_free char *directory = path_parent(path);

		protect_project(policy, directory, source);
	}
}

void protect_project(struct policy *policy, const char *directory, const char *source)
{
	bool own = is_own(directory);

	/* From the second on: `.git` has its own ways. */
	for (size_t i = 1; protected_names[i]; i++) {
		cleanup_free char *path = path_join(directory, protected_names[i]);
		struct error why = {0};

		/* A stranger's link may lead to files of ours, to have them read-only. */
		if (!own)
			make_read_only(policy, path, source);
		else if (protect_path(policy, path, source, &why) < 0)
			protected_less(policy, &why);
	}
}

static bool is_in_root(const struct root_list *roots, const char *path)
{
	for (size_t i = 0; i < roots->count; i++)
		if (path_contains(roots->paths[i], path) && strcmp(roots->paths[i], path) != 0)
			return true;
	return false;
}

/*
 * Trust is by path.  A link in the place of a project is trusted by nobody, but
 * a directory in the place of the link would be.
 */
static void protect_entry(struct policy *policy, const char *project)
{
	static const char source[] = "trusted project";
	cleanup_free char *git = path_join(project, ".git");
	struct error none = {0};
	struct stat st;
	struct trail trail;

	if (trail_follow(&trail, "/", project, &none) < 0 || trail.count > 0) {
		for (size_t i = 0; i < trail.count; i++)
			make_read_only(policy, trail.links[i], source);
	} else if (trail.stopped == 0 && S_ISDIR(trail.st.st_mode)) {
		if (lstat(git, &st) == 0)
			protect_found(policy, git, source);
		else
			protect_project(policy, project, source);
	}
	trail_free(&trail);
}

void protect_trusted(struct policy *policy, const struct root_list *roots)
{
	json_t *projects = json_object_get(policy->settings->config->values, "projects");
	const char *project;
	json_t *entry;

	/* There may be hundreds: only those in a root are looked at on disk. */
	json_object_foreach (projects, project, entry) {
		const char *level = json_string_value(json_object_get(entry, "trust_level"));

		if (level && strcmp(level, "trusted") == 0 && path_is_normal(project) &&
		    is_in_root(roots, project))
			protect_entry(policy, project);
	}
}

void protect_other(struct policy *policy, const char *path)
{
	static const char source[] = "settings of a repository";
	const char *name = strrchr(path, '/') + 1;
	const struct other_repository *other;

	for (size_t i = 0; (other = other_repository(i)) != NULL; i++) {
		struct error why = {0};
		struct trail trail;

		if (strcmp(other->directory, name) != 0)
			continue;
		if (protect_trail(policy, &trail, path, other->file, source, &why) < 0) {
			protected_less(policy, &why);
		} else if (trail.stopped == ENOTDIR) {
			/* A file in place of a directory names that directory. */
			cleanup_free char *pointer = path_parent(trail.target);

			make_read_only(policy, pointer, source);
		}
		trail_free(&trail);
	}
}

void protect_bare(struct policy *policy, const char *root)
{
	static const char source[] = "bare repository";
	const struct origin *origin = policy_origin(policy, root);
	struct error why = {0};
	enum access access;
	const char *name;

	/* As with a `.git`: who named it meant all that is in it. */
	if (origin && origin->named)
		return;
	for (size_t i = 0; (name = preset_in_git(i, &access)) != NULL; i++) {
		cleanup_free char *path = path_join(root, name);

		if (access == ACCESS_READ && protect_path(policy, path, source, &why) < 0)
			protected_less(policy, &why);
	}
	if (protect_common(policy, root, source, &why) < 0)
		protected_less(policy, &why);
	protect_configured(policy, root, root);
}

void protect_homes(struct policy *policy, const struct root_list *roots)
{
	const struct roots writable = {.paths = roots->paths, .count = roots->count};
	struct error why = {0};
	struct homes homes;

	if (homes_find(&homes, &writable) < 0)
		protect_missed(policy, errno);
	for (char **place = homes.places; *place; place++)
		if (protect_path(policy, *place, "runs later", &why) < 0)
			protected_less(policy, &why);
	for (size_t i = 0; homes.registered && i < roots->count; i++)
		if (root_holds(roots->paths[i], homes.registered))
			notes_add(&policy->notes,
			          "\"%s\" is writable, with your home directory in it: what runs "
			          "later there, like .bashrc, is read-only, but what is missing "
			          "can be made; work in a directory of its own",
			          roots->paths[i]);
	homes_free(&homes);
}

bool is_own(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && st.st_uid == geteuid();
}

int protect_names(struct policy *policy, const char *root, enum place place, struct error *err)
{
	for (size_t i = 0; protected_names[i]; i++) {
		const char *const source = "protected name";
		cleanup_free char *path = path_join(root, protected_names[i]);
		int status = 0;

		/*
		 * A stranger's /tmp/.git may point at our own files, to have them
		 * read-only, or nowhere, to stop us.  Its name is enough: git does
		 * not use a repository of somebody else's.
		 */
		if (place == PLACE_TEMPORARY && !is_own(path))
			make_read_only(policy, path, source);
		else if (i == 0)
			status = protect_git(policy, path, source, err);
		else
			status = protect_path(policy, path, source, err);
		if (status < 0)
			return -1;
	}
	return 0;
}

/* A carve-out on a writable root itself would lose against the root. */
static int refuse_root(const struct policy *policy, const char *path, const char *what,
                       struct error *err)
{
	if (permissions_resolve(&policy->permissions, path, NULL) != ACCESS_WRITE ||
	    policy_is_private(policy, path))
		return 0;
	return error_set(err, EXIT_INPUT, "own-directory",
	                 "\"%s\": holds the %s, so it cannot be a writable root", path, what);
}

/* A directory whose path is canonical. */
static int protect_programs(struct policy *policy, const char *path, struct error *err)
{
	static const char what[] = "sbx programs";

	make_read_only(policy, path, what);
	return refuse_root(policy, path, what, err);
}

static int protect_settings(struct policy *policy, const char *path, struct error *err)
{
	static const char what[] = "sbx configuration";
	struct trail trail;
	int status;

	status = protect_trail(policy, &trail, "/", path, what, err);
	if (status == 0 && trail.target) {
		make_read_only(policy, path, what);
		status = refuse_root(policy, trail.target, what, err);
	}
	trail_free(&trail);
	return status;
}

/* The user's file may be a link to a place that is writable otherwise. */
static int protect_settings_file(struct policy *policy, const char *home, struct error *err)
{
	cleanup_free char *path = path_join(home, "config.toml");
	struct stat st;
	struct trail trail;
	int status;

	if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
		return 0;
	status = protect_trail(policy, &trail, "/", path, "sbx configuration", err);
	trail_free(&trail);
	return status;
}

/* What other workspaces have for /tmp is theirs. */
static int refuse_places(const struct policy *policy, struct error *err)
{
	for (size_t i = 0; i < policy->permissions.count; i++) {
		const struct entry *entry = &policy->permissions.entries[i];

		if (entry->access == ACCESS_WRITE && inside_tmp_place(entry->path))
			return error_set(err, EXIT_INPUT, "own-directory",
			                 "\"%s\": holds private directories of sbx, so it cannot "
			                 "be a writable root",
			                 entry->path);
	}
	return 0;
}

int protect_own(struct policy *policy, struct error *err)
{
	/* One from each of the two directories of an installation. */
	static const char *const programs[] = {"sbx-run", "sbx-linux-sandbox"};
	cleanup_free char *here = program_directory(err);
	cleanup_free char *home = settings_home();

	if (!here || refuse_places(policy, err) < 0 || protect_programs(policy, here, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct error none = {0};
		cleanup_free char *path = path_join(here, programs[i]);
		cleanup_free char *other = NULL;
		cleanup_free char *directory = NULL;

		/* The first place that a sibling is looked for. */
		if (access(path, X_OK) == 0)
			continue;
		other = sibling_path(programs[i], &none);
		directory = other ? path_parent(other) : NULL;
		if (directory && protect_programs(policy, directory, err) < 0)
			return -1;
	}
	if (home && (protect_settings(policy, home, err) < 0 ||
	             protect_settings_file(policy, home, err) < 0))
		return -1;
	return 0;
}
