#include "closed/protected_roots.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "entries/carve_outs.h"
#include "fs/path.h"
#include "policy/protected_names.h"
#include "repositories/found_repository.h"
#include "repositories/git_settings.h"
#include "repositories/named_by_git.h"
#include "repositories/named_repositories.h"
#include "repositories/nested_repositories.h"
#include "repositories/remembered_repositories.h"
#include "closed/bystanders.h"
#include "closed/own_files.h"
#include "trust/home_files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

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
static void protect_entry(struct workbench *bench, const char *project)
{
	static const char source[] = "trusted project";
	cleanup_free char *git = path_join(project, ".git");
	struct error none = {0};
	struct stat st;
	struct trail trail;

	if (trail_follow(&trail, "/", project, &none) < 0 || trail.count > 0) {
		for (size_t i = 0; i < trail.count; i++)
			make_read_only(bench, trail.links[i], source);
	} else if (trail.stopped == 0 && S_ISDIR(trail.st.st_mode)) {
		if (lstat(git, &st) == 0)
			protect_found(bench, git, source);
		else
			protect_project(bench, project, source);
	}
	trail_free(&trail);
}

/* protect_project() of each, or of the repository that it is. */
static void protect_trusted(struct workbench *bench, const struct root_list *roots)
{
	json_t *projects = json_object_get(bench->policy->settings->config->values, "projects");
	const char *project;
	json_t *entry;

	/* There may be hundreds: only those in a root are looked at on disk. */
	json_object_foreach (projects, project, entry) {
		const char *level = json_string_value(json_object_get(entry, "trust_level"));

		if (level && strcmp(level, "trusted") == 0 && path_is_normal(project) &&
		    is_in_root(roots, project))
			protect_entry(bench, project);
	}
}

/* The repository that a workspace without a grant lies in must not become writable by others. */
static int protect_enclosing(struct workbench *bench, struct error *err)
{
	for (const char *p = bench->policy->workspace; (p = strstr(p, "/.git")) != NULL; p += 5) {
		cleanup_free char *path = NULL;

		if (p[5] != '/' && p[5] != '\0')
			continue;
		path = xstrndup(bench->policy->workspace,
		                (size_t)(p + 5 - bench->policy->workspace));
		if (protect_git(bench, path, "protected name", err) < 0)
			return -1;
	}
	return 0;
}

static enum place place_of(const struct workbench *bench, const char *root)
{
	const struct root_list *temporary = &bench->temporary;
	const struct origin *origin = policy_origin(bench->policy, root);

	if (strcmp(bench->policy->workspace, root) == 0)
		return PLACE_WORKSPACE;
	for (size_t i = 0; i < temporary->count; i++)
		if (strcmp(temporary->paths[i], root) == 0 && !(origin && origin->named))
			return PLACE_TEMPORARY;
	return PLACE_ROOT;
}

/* Only a set or a preset can bring a root that is not a directory. */
static bool is_bare(const struct workbench *bench, const char *path)
{
	struct stat st;

	for (size_t i = 0; i < bench->bare.count; i++)
		if (strcmp(bench->bare.paths[i], path) == 0)
			return true;
	return (bench->policy->settings->set.name || bench->policy->settings->presets.count) &&
	       lstat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* The protected names directly under a writable root. */
static int protect_names(struct workbench *bench, const char *root, enum place place,
                         struct error *err)
{
	static const char source[] = "protected name";

	for (size_t i = 0; protected_names[i]; i++) {
		cleanup_free char *path = path_join(root, protected_names[i]);
		int status = 0;

		/*
		 * A stranger's /tmp/.git may point at our own files, to have them
		 * read-only, or nowhere, to stop us.  Its name is enough: git does
		 * not use a repository of somebody else's.
		 */
		if (place == PLACE_TEMPORARY && !is_own(path))
			make_read_only(bench, path, source);
		else if (i == 0)
			status = protect_git(bench, path, source, err);
		else
			status = protect_path(bench, path, source, err);
		if (status < 0)
			return -1;
	}
	return 0;
}

/* What is kept of a home directory that lies in one of the roots, or around it. */
static void protect_homes(struct workbench *bench, const struct root_list *roots)
{
	const struct roots writable = {.paths = roots->paths, .count = roots->count};
	struct error why = {0};
	struct homes homes;

	if (homes_find(&homes, &writable) < 0)
		bench_missed(bench, errno);
	for (char **place = homes.places.items; place && *place; place++)
		if (protect_path(bench, *place, "runs later", &why) < 0)
			protected_less(bench, &why);
	for (size_t i = 0; homes.registered && i < roots->count; i++)
		if (root_holds(roots->paths[i], homes.registered))
			notes_add(
			        bench->notes,
			        "\"%s\" is writable and contains your home directory: existing files "
			        "that run later, such as .bashrc, are read-only, but missing ones "
			        "can be created; work in a separate directory",
			        roots->paths[i]);
	homes_free(&homes);
}

/* The workspace may be a part of a repository whose settings name files in that part. */
static void protect_around(struct workbench *bench)
{
	const struct repository *repository = bench->repository;
	cleanup_free char *git = NULL;

	if (!repository->root)
		return;
	git = path_join(repository->root, ".git");
	if (repository->gitdir)
		protect_configured(bench, repository->gitdir, repository->root);
	else
		protect_found(bench, git, "protected name");
}

/* What was known before comes first: nobody can make names that stand before it. */
static void search_root(struct workbench *bench, const char *root, enum place place)
{
	struct remembered remembered = {0};

	if (place == PLACE_TEMPORARY) {
		protect_nested(bench, root, place, &remembered);
		root_list_free(&remembered.paths);
		return;
	}
	remembered_protect(&remembered, bench, root);
	protect_hinted(bench, root);
	protect_nested(bench, root, place, &remembered);
	remembered_keep(&remembered, bench, root);
}

/* Where a repository could be: not in a file, nor in what is not the host's. */
static struct root_list roots_of(const struct workbench *bench)
{
	const struct permissions *permissions = &bench->policy->permissions;
	struct root_list roots = {0};

	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];

		if (entry->access == ACCESS_WRITE && !is_bare(bench, entry->path) &&
		    !bench_is_private(bench, entry->path))
			root_list_add(&roots, entry->path);
	}
	return roots;
}

/* After all names: the walks pass over what is protected already. */
static void search_roots(struct workbench *bench, const struct root_list *roots)
{
	struct policy *policy = bench->policy;

	for (size_t i = 0; i < roots->count; i++) {
		bool before = policy->cut;

		policy->cut = false;
		search_root(bench, roots->paths[i], place_of(bench, roots->paths[i]));
		if (policy->cut)
			root_list_add(&policy->cut_roots, roots->paths[i]);
		policy->cut |= before;
	}
}

static int protect_all(struct workbench *bench, const struct root_list *roots, struct error *err)
{
	if (protect_enclosing(bench, err) < 0)
		return -1;
	protect_configured_globally(bench);
	for (size_t i = 0; i < roots->count; i++)
		if (protect_names(bench, roots->paths[i], place_of(bench, roots->paths[i]), err) <
		    0)
			return -1;
	protect_around(bench);
	protect_trusted(bench, roots);
	protect_homes(bench, roots);
	protect_bystanders(bench);
	search_roots(bench, roots);
	/* A repository in a temporary that appeared meanwhile goes with it: nobody's loss. */
	protect_bystanders(bench);
	if (!bench->failed)
		return 0;
	errno = bench->failed;
	return error_system(err, "looking for repositories to protect");
}

int protect_roots(struct workbench *bench, struct error *err)
{
	struct git_settings global = {.bench = bench};
	struct root_list roots = {0};
	int status = protect_own(bench, err);

	if (status == 0) {
		roots = roots_of(bench);
		bench->global = &global;
		status = protect_all(bench, &roots, err);
	}
	git_settings_free(&global);
	root_list_free(&roots);
	return status;
}
