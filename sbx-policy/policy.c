#include "policy.h"

#include "cleanup.h"
#include "hints.h"
#include "memory.h"
#include "nested.h"
#include "path.h"
#include "protect.h"
#include "tmpdir.h"
#include "trail.h"
#include "workspace.h"

#include <string.h>

void policy_add(struct policy *policy, const char *path, enum access access, const char *source,
                bool named)
{
	struct origin *origin = NULL;

	permissions_add(&policy->permissions, path, access);
	for (size_t i = 0; i < policy->origin_count && !origin; i++)
		if (strcmp(policy->origins[i].path, path) == 0)
			origin = &policy->origins[i];
	if (!origin) {
		policy->origins = xrealloc_array(policy->origins, policy->origin_count + 1,
		                                 sizeof(*policy->origins));
		origin = &policy->origins[policy->origin_count++];
		*origin = (struct origin){xstrdup(path), access, source, named};
	} else if (access > origin->access) {
		origin->access = access;
		origin->source = source;
	}
	origin->named |= named;
}

const struct origin *policy_origin(const struct policy *policy, const char *path)
{
	for (size_t i = 0; i < policy->origin_count; i++)
		if (strcmp(policy->origins[i].path, path) == 0)
			return &policy->origins[i];
	return NULL;
}

enum network policy_network(const struct settings *settings, const char **source)
{
	const struct setting *decides = &settings->network;
	enum network network = NETWORK_OFF;

	if (settings->mode.value == MODE_DANGER) {
		decides = &settings->mode;
		network = NETWORK_ON;
	} else if (settings->network.value != NETWORK_UNSET) {
		network = (enum network)settings->network.value;
	} else if (settings->mode.value == MODE_WORKSPACE_WRITE) {
		decides = &settings->network_access;
		network = settings->network_access.value ? NETWORK_ON : NETWORK_OFF;
	}
	if (source)
		*source = decides->source;
	return network;
}

static int grant_roots(struct policy *policy, const struct root_list *roots, const char *what,
                       struct error *err)
{
	for (size_t i = 0; i < roots->count; i++) {
		cleanup_free char *path = directory_canonical(roots->paths[i], what, err);

		if (!path)
			return -1;
		if (path_depth(path) == 0)
			return error_set(
			        err, EXIT_INPUT, "bad-root",
			        "%s: \"/\": the whole file system; that is danger-full-access",
			        what);
		policy_add(policy, path, ACCESS_WRITE, roots->source, true);
	}
	return 0;
}

static int grant_workspace(struct policy *policy, struct error *err)
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
	if (inside_git(policy->workspace)) {
		if (permissions_resolve(&policy->permissions, policy->workspace, NULL) !=
		    ACCESS_WRITE)
			notes_add(
			        &policy->notes,
			        "workspace: \"%s\": inside a repository's .git; not made writable "
			        "(--add-dir would)",
			        policy->workspace);
		return 0;
	}
	policy_add(policy, policy->workspace, ACCESS_WRITE, "workspace", false);
	return 0;
}

static void grant_temporary(struct policy *policy, struct root_list *granted)
{
	const char *tmpdir = getenv("TMPDIR");
	struct error none = {0};
	cleanup_free char *tmp = directory_canonical("/tmp", "/tmp", &none);
	cleanup_free char *reason = NULL;
	cleanup_free char *path = NULL;

	if (!policy->settings->exclude_slash_tmp.value && tmp && path_depth(tmp) > 0) {
		policy_add(policy, tmp, ACCESS_WRITE, "/tmp", false);
		root_list_add(granted, tmp);
	}
	if (policy->settings->exclude_tmpdir.value || !tmpdir || !tmpdir[0])
		return;
	path = tmpdir_grant(policy, tmpdir, &reason);
	if (reason)
		notes_add(&policy->notes, "%s", reason);
	/* What was excluded by name does not come back under another. */
	if (path && tmp && path_contains(path, tmp)) {
		notes_add(&policy->notes, "TMPDIR: \"%s\": /tmp is excluded; not made writable",
		          tmpdir);
	} else if (path) {
		policy_add(policy, path, ACCESS_WRITE, "environment TMPDIR", false);
		root_list_add(granted, path);
	}
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

static int protect_roots(struct policy *policy, const struct root_list *temporary,
                         struct error *err)
{
	struct root_list roots = {0};
	int status = protect_own(policy, err);

	for (size_t i = 0; i < policy->permissions.count; i++)
		if (policy->permissions.entries[i].access == ACCESS_WRITE)
			root_list_add(&roots, policy->permissions.entries[i].path);
	if (status == 0)
		status = protect_enclosing(policy, err);
	for (size_t i = 0; status == 0 && i < roots.count; i++)
		status = protect_names(policy, roots.paths[i],
		                       place_of(policy, temporary, roots.paths[i]), err);
	/* After all names: the walks pass over what is protected already. */
	for (size_t i = 0; status == 0 && i < roots.count; i++) {
		enum place place = place_of(policy, temporary, roots.paths[i]);

		bool before = policy->cut;

		policy->cut = false;
		if (place != PLACE_TEMPORARY)
			protect_hinted(policy, roots.paths[i]);
		protect_nested(policy, roots.paths[i], place);
		if (policy->cut)
			root_list_add(&policy->cut_roots, roots.paths[i]);
		policy->cut |= before;
	}
	root_list_free(&roots);
	return status;
}

static int resolve_workspace_write(struct policy *policy, struct error *err)
{
	const struct settings *settings = policy->settings;
	struct root_list temporary = {0};
	int status;

	policy_add(policy, "/", ACCESS_READ, settings->mode.source, false);
	status = grant_roots(policy, &settings->writable_roots, "writable root", err);
	if (status == 0)
		status = grant_roots(policy, &settings->added, "--add-dir", err);
	if (status == 0)
		status = grant_workspace(policy, err);
	if (status == 0) {
		grant_temporary(policy, &temporary);
		status = protect_roots(policy, &temporary, err);
	}
	root_list_free(&temporary);
	return status;
}

int policy_resolve(struct policy *policy, const struct settings *settings, const char *workspace,
                   struct error *err)
{
	*policy = (struct policy){.settings = settings, .workspace = xstrdup(workspace)};
	policy->permissions.network = policy_network(settings, NULL);
	switch ((enum mode)settings->mode.value) {
	case MODE_READ_ONLY:
		policy_add(policy, "/", ACCESS_READ, settings->mode.source, false);
		return 0;
	case MODE_WORKSPACE_WRITE:
		return resolve_workspace_write(policy, err);
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
	permissions_free(&policy->permissions);
	root_list_free(&policy->cut_roots);
	notes_free(&policy->notes);
}
