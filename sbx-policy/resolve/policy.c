#include "resolve/policy.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "policy/protected_names.h"
#include "policy/slash_tmp.h"
#include "policy/words.h"
#include "repositories/named_repositories.h"
#include "repositories/nested_repositories.h"
#include "repositories/remembered_repositories.h"
#include "resolve/allow_presets.h"
#include "resolve/bystanders.h"
#include "resolve/carve_outs.h"
#include "resolve/permission_sets.h"
#include "resolve/temporary_directories.h"
#include "resolve/unix_sockets.h"
#include "resolve/workspace.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first origin that does not sort before path. */
static size_t position(const struct policy *policy, const char *path)
{
	size_t low = 0, high = policy->origin_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (path_compare(policy->origins[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct origin *policy_origin(const struct policy *policy, const char *path)
{
	size_t at = position(policy, path);

	if (at < policy->origin_count && strcmp(policy->origins[at].path, path) == 0)
		return &policy->origins[at];
	return NULL;
}

void policy_add(struct policy *policy, const char *path, enum access access, const char *source,
                bool named)
{
	size_t at = position(policy, path);
	struct origin *origin;

	permissions_add(&policy->permissions, path, access);
	if (at == policy->origin_count || strcmp(policy->origins[at].path, path) != 0) {
		policy->origins = xrealloc_array(policy->origins, policy->origin_count + 1,
		                                 sizeof(*policy->origins));
		origin = &policy->origins[at];
		memmove(origin + 1, origin, (policy->origin_count - at) * sizeof(*origin));
		policy->origin_count++;
		*origin = (struct origin){xstrdup(path), access, source, named};
		return;
	}
	origin = &policy->origins[at];
	if (access > origin->access) {
		origin->access = access;
		origin->source = source;
	}
	origin->named |= named;
}

static void later(struct later_list *list, const char *path, const char *source)
{
	list->items = xrealloc_array(list->items, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = (struct later){xstrdup(path), source};
}

static void later_free(struct later_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].path);
	free(list->items);
}

bool policy_is_private(const struct policy *policy, const char *path)
{
	return policy->private_tmp && tmp_decides(&policy->permissions, policy->private_tmp, path);
}

void policy_missing(struct policy *policy, const char *path, const char *source)
{
	later(&policy->missing, path, source);
}

void policy_pin(struct policy *policy, const char *path, const char *source)
{
	later(&policy->pins, path, source);
}

void policy_pin_links(struct policy *policy, const char *path, const char *source)
{
	cleanup_free char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
	struct error none = {0};
	struct trail trail;

	if (path[0] != '/' && !(here && here[0] == '/'))
		return;
	trail_follow(&trail, here ? here : "/", path, &none);
	for (size_t i = 0; i < trail.count; i++)
		policy_pin(policy, trail.links[i], source);
	trail_free(&trail);
}

const char *policy_word(struct policy *policy, const char *word)
{
	for (size_t i = 0; i < policy->words.count; i++)
		if (strcmp(policy->words.paths[i], word) == 0)
			return policy->words.paths[i];
	root_list_add(&policy->words, word);
	return policy->words.paths[policy->words.count - 1];
}

/* All entries are known now. */
static void judge_later(struct policy *policy)
{
	for (size_t i = 0; i < policy->pins.count; i++) {
		const struct later *item = &policy->pins.items[i];

		if (permissions_resolve(&policy->permissions, item->path, NULL) == ACCESS_WRITE &&
		    !policy_is_private(policy, item->path))
			policy_add(policy, item->path, ACCESS_READ, item->source, false);
	}
	for (size_t i = 0; i < policy->missing.count; i++) {
		const struct later *item = &policy->missing.items[i];
		cleanup_free char *parent = path_parent(item->path);

		/* What lies in a protected name that is missing cannot be made, either. */
		if (permissions_resolve(&policy->permissions, item->path, NULL) != ACCESS_WRITE ||
		    inside_protected_name(parent)) {
			notes_add(&policy->notes, "%s: \"%s\": does not exist; not made writable",
			          item->source, item->path);
			continue;
		}
		policy_add(policy, item->path, ACCESS_WRITE, item->source, true);
		/* A protected name below would have to be made, and this with it. */
		root_list_add(&policy->bare, item->path);
	}
}

enum network policy_network(const struct policy *policy, const char **source)
{
	const struct settings *settings = policy->settings;
	const struct setting *decides = &settings->network;
	enum network network = NETWORK_OFF;
	const char *said = NULL;

	if (settings->mode.value == MODE_DANGER) {
		decides = &settings->mode;
		network = NETWORK_ON;
	} else if (settings->network.value != NETWORK_UNSET) {
		network = (enum network)settings->network.value;
	} else if (settings->set.name) {
		said = settings->set.source;
		network = set_network(&policy->set, &said);
	} else if (settings->mode.value == MODE_WORKSPACE_WRITE) {
		decides = &settings->network_access;
		network = settings->network_access.value ? NETWORK_ON : NETWORK_OFF;
	}
	if (source)
		*source = said ? said : decides->source;
	return network;
}

static int grant_roots(struct policy *policy, const struct root_list *roots, const char *what,
                       struct error *err)
{
	for (size_t i = 0; i < roots->count; i++) {
		struct error why = {0};
		cleanup_free char *path = directory_canonical(roots->paths[i], what, &why);

		if (!path)
			return roots->layer == LAYER_FLAG
			               ? error_set(err, why.exit, why.code, "%s", why.message)
			               : error_set(err, why.exit, why.code, "%s: %s", roots->source,
			                           why.message);
		if (path_depth(path) == 0)
			return error_set(
			        err, EXIT_INPUT, "bad-root",
			        "%s: \"/\": the whole file system; that is danger-full-access",
			        what);
		policy_add(policy, path, ACCESS_WRITE, roots->source, true);
		if (strcmp(path, roots->paths[i]) != 0)
			policy_pin_links(policy, roots->paths[i], roots->source);
	}
	return 0;
}

/* A bare repository itself is one that somebody works in; see protect_bare(). */
static bool inside_repository_files(const char *path)
{
	cleanup_free char *parent = path_parent(path);

	return inside_git(path) || inside_git_directory(parent);
}

int grant_workspace(struct policy *policy, struct error *err)
{
	if (path_depth(policy->workspace) == 0)
		return error_set(
		        err, EXIT_INPUT, "bad-workspace",
		        "workspace: \"/\": the whole file system would be writable; name a "
		        "directory with -C, or use danger-full-access");
	/*
	 * In a repository's own files the default may not do what the protected
	 * names exist to prevent; only a person who names the place may.
	 */
	if (inside_repository_files(policy->workspace)) {
		if (permissions_resolve(&policy->permissions, policy->workspace, NULL) !=
		    ACCESS_WRITE)
			notes_add(
			        &policy->notes,
			        "workspace: \"%s\": inside a repository's own files; not made writable "
			        "(--add-dir would)",
			        policy->workspace);
		return 0;
	}
	policy_add(policy, policy->workspace, ACCESS_WRITE, "workspace", false);
	return 0;
}

/* The repository that a workspace without a grant lies in must not become writable by others. */
static int protect_enclosing(struct policy *policy, struct error *err)
{
	for (const char *p = policy->workspace; (p = strstr(p, "/.git")) != NULL; p += 5) {
		cleanup_free char *path = NULL;

		if (p[5] != '/' && p[5] != '\0')
			continue;
		path = xstrndup(policy->workspace, (size_t)(p + 5 - policy->workspace));
		if (protect_git(policy, path, "protected name", err) < 0)
			return -1;
	}
	return 0;
}

static enum place place_of(const struct policy *policy, const struct root_list *temporary,
                           const char *root)
{
	const struct origin *origin = policy_origin(policy, root);

	if (strcmp(policy->workspace, root) == 0)
		return PLACE_WORKSPACE;
	for (size_t i = 0; i < temporary->count; i++)
		if (strcmp(temporary->paths[i], root) == 0 && !(origin && origin->named))
			return PLACE_TEMPORARY;
	return PLACE_ROOT;
}

/* Only a set or a preset can bring a root that is not a directory. */
static bool is_bare(const struct policy *policy, const char *path)
{
	struct stat st;

	for (size_t i = 0; i < policy->bare.count; i++)
		if (strcmp(policy->bare.paths[i], path) == 0)
			return true;
	return (policy->settings->set.name || policy->settings->presets.count) &&
	       lstat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* The workspace may be a part of a repository whose settings name files in that part. */
static void protect_around(struct policy *policy, const struct repository *repository)
{
	cleanup_free char *git = NULL;

	if (!repository->root)
		return;
	git = path_join(repository->root, ".git");
	if (repository->gitdir)
		protect_configured(policy, repository->gitdir, repository->root);
	else
		protect_found(policy, git, "protected name");
}

/* What was known before comes first: nobody can make names that stand before it. */
static void search_root(struct policy *policy, const char *root, enum place place)
{
	struct remembered remembered = {0};

	if (place == PLACE_TEMPORARY) {
		protect_nested(policy, root, place, &remembered);
		root_list_free(&remembered.paths);
		return;
	}
	remembered_protect(&remembered, policy, root);
	protect_hinted(policy, root);
	protect_nested(policy, root, place, &remembered);
	remembered_keep(&remembered, policy, root);
}

static int protect_roots(struct policy *policy, const struct root_list *temporary,
                         const struct repository *repository, struct error *err)
{
	struct root_list roots = {0};
	int status = protect_own(policy, err);

	for (size_t i = 0; i < policy->permissions.count; i++)
		if (policy->permissions.entries[i].access == ACCESS_WRITE &&
		    !is_bare(policy, policy->permissions.entries[i].path) &&
		    !policy_is_private(policy, policy->permissions.entries[i].path))
			root_list_add(&roots, policy->permissions.entries[i].path);
	if (status == 0)
		status = protect_enclosing(policy, err);
	if (status == 0)
		protect_configured_globally(policy);
	for (size_t i = 0; status == 0 && i < roots.count; i++)
		status = protect_names(policy, roots.paths[i],
		                       place_of(policy, temporary, roots.paths[i]), err);
	if (status == 0) {
		protect_around(policy, repository);
		protect_trusted(policy, &roots);
		protect_homes(policy, &roots);
		protect_bystanders(policy);
	}
	/* After all names: the walks pass over what is protected already. */
	for (size_t i = 0; status == 0 && i < roots.count; i++) {
		enum place place = place_of(policy, temporary, roots.paths[i]);

		bool before = policy->cut;

		policy->cut = false;
		search_root(policy, roots.paths[i], place);
		if (policy->cut)
			root_list_add(&policy->cut_roots, roots.paths[i]);
		policy->cut |= before;
	}
	root_list_free(&roots);
	if (status == 0 && policy->failed) {
		errno = policy->failed;
		return error_system(err, "looking for repositories to protect");
	}
	return status;
}

static int grant_mode(struct policy *policy, struct root_list *temporary, struct error *err)
{
	const struct settings *settings = policy->settings;

	policy_add(policy, "/", ACCESS_READ, settings->mode.source, false);
	if (grant_roots(policy, &settings->writable_roots, "writable root", err) < 0 ||
	    grant_roots(policy, &settings->added, "--add-dir", err) < 0 ||
	    grant_workspace(policy, err) < 0)
		return -1;
	if (!settings->exclude_slash_tmp.value)
		grant_slash_tmp(policy, "/tmp", temporary);
	if (!settings->exclude_tmpdir.value)
		policy->tmpdir = "environment TMPDIR";
	return 0;
}

static int grant_set(struct policy *policy, struct root_list *temporary, struct error *err)
{
	const struct settings *settings = policy->settings;

	if (grant_roots(policy, &settings->added, "--add-dir", err) < 0 ||
	    set_apply(policy, temporary, err) < 0)
		return -1;
	if (permissions_resolve(&policy->permissions, policy->workspace, NULL) == ACCESS_NONE)
		notes_add(&policy->notes, "permissions \"%s\": the workspace \"%s\" cannot be read",
		          settings->set.name, policy->workspace);
	return 0;
}

static int resolve_roots(struct policy *policy, const struct repository *repository,
                         struct error *err)
{
	struct root_list temporary = {0};
	int status = policy->settings->set.name ? grant_set(policy, &temporary, err)
	                                        : grant_mode(policy, &temporary, err);

	if (status == 0) {
		decide_tmp(policy);
		grant_tmpdir(policy, &temporary);
		status = presets_apply(policy, repository, err);
	}
	if (status == 0) {
		judge_later(policy);
		status = protect_roots(policy, &temporary, repository, err);
	}
	root_list_free(&temporary);
	return status;
}

/* --add-dir adds to the project as well as to what is writable. */
static int find_workspaces(struct policy *policy, struct error *err)
{
	const struct root_list *added = &policy->settings->added;

	root_list_add(&policy->workspaces, policy->workspace);
	for (size_t i = 0; i < added->count; i++) {
		cleanup_free char *path = directory_canonical(added->paths[i], "--add-dir", err);

		if (!path)
			return -1;
		root_list_add(&policy->workspaces, path);
	}
	return 0;
}

int policy_resolve(struct policy *policy, const struct settings *settings,
                   const struct repository *repository, const char *workspace, struct error *err)
{
	*policy = (struct policy){.settings = settings, .workspace = xstrdup(workspace)};
	if (settings->set.name) {
		policy->deny_globs = xjson(json_array());
		config_begin(&policy->set);
		if (find_workspaces(policy, err) < 0 ||
		    set_find(settings->config, settings->set.name, &policy->set, err) < 0)
			return -1;
	}
	policy->permissions.network = policy_network(policy, NULL);
	if (sockets_resolve(policy, err) < 0)
		return -1;
	switch ((enum mode)settings->mode.value) {
	case MODE_READ_ONLY:
		policy_add(policy, "/", ACCESS_READ, settings->mode.source, false);
		return 0;
	case MODE_WORKSPACE_WRITE:
		return resolve_roots(policy, repository, err) < 0 ? -1 : sockets_check(policy, err);
	case MODE_DANGER:
	case MODE_EXTERNAL:
		policy_add(policy, "/", ACCESS_WRITE, settings->mode.source, false);
		return 0;
	}
	return error_set(err, EXIT_USAGE, "usage", "sandbox mode %d is unknown",
	                 settings->mode.value);
}

void policy_free(struct policy *policy)
{
	for (size_t i = 0; i < policy->origin_count; i++)
		free(policy->origins[i].path);
	free(policy->origins);
	free(policy->workspace);
	free(policy->private_tmp);
	permissions_free(&policy->permissions);
	config_free(&policy->set);
	json_decref(policy->deny_globs);
	later_free(&policy->missing);
	later_free(&policy->pins);
	root_list_free(&policy->workspaces);
	root_list_free(&policy->bare);
	root_list_free(&policy->words);
	root_list_free(&policy->cut_roots);
	root_list_free(&policy->passing);
	configured_free(policy->configured);
	notes_free(&policy->notes);
}
