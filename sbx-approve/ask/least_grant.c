#include "ask/least_grant.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "grant/denial.h"
#include "patches/patch.h"
#include "policy/permissions.h"
#include "policy/protected_names.h"
#include "policy/words.h"

#include <stdlib.h>
#include <string.h>
#include "trust/sensitive_places.h"

void denials_grant(const json_t *denials, struct grant *grant)
{
	size_t i;
	json_t *denial;

	*grant = (struct grant)GRANT_NOTHING;
	json_array_foreach (denials, i, denial) {
		cleanup_grant struct grant more = GRANT_NOTHING;

		if (denial_grant(denial, &more))
			grant_add(grant, &more);
	}
}

void patch_grant(const json_t *doc, struct grant *grant)
{
	struct error none = {0};
	cleanup_vector char **files = patch_files(doc, &none);
	struct permissions permissions;
	size_t count = 0;

	if (!files ||
	    permissions_get(json_object_get(json_object_get(doc, "policy"), "permissions"),
	                    &permissions, &none) < 0)
		return;
	for (char **file = files; *file; file++) {
		char **paths = grant->paths[GRANT_WRITE];

		if (patch_may_change(files, &permissions, *file) || !path_is_normal(*file) ||
		    inside_protected_name(*file))
			continue;
		paths = xrealloc_array(paths, count + 2, sizeof(*paths));
		paths[count++] = xstrdup(*file);
		paths[count] = NULL;
		grant->paths[GRANT_WRITE] = paths;
	}
	permissions_free(&permissions);
}

bool denials_want_home(const json_t *denials)
{
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial) {
		struct error none = {0};
		json_t *value = json_object_get(denial, "path");
		cleanup_free char *path = value ? os_string_get(value, "path", &none) : NULL;
		cleanup_free char *parent = path && path_is_normal(path) ? path_parent(path) : NULL;

		if (parent && around_home(parent))
			return true;
	}
	return false;
}

/* By an entry of its own; a place that no entry is about is merely not given. */
static bool is_hidden(const struct permissions *permissions, const char *path)
{
	const struct entry *entry = NULL;

	return permissions_resolve(permissions, path, &entry) == ACCESS_NONE && entry &&
	       path_depth(entry->path) > 0;
}

static void drop_hidden(const struct permissions *permissions, char ***list)
{
	size_t kept = 0;

	for (char **path = *list; path && *path; path++)
		if (is_hidden(permissions, *path))
			free(*path);
		else
			(*list)[kept++] = *path;
	if (*list)
		(*list)[kept] = NULL;
	if (kept > 0)
		return;
	free(*list);
	*list = NULL;
}

void grant_without_hidden(const json_t *policy, struct grant *grant)
{
	struct permissions permissions;
	struct error err = {0};

	if (permissions_get(json_object_get(policy, "permissions"), &permissions, &err) < 0)
		return;
	drop_hidden(&permissions, &grant->paths[GRANT_WRITE]);
	drop_hidden(&permissions, &grant->paths[GRANT_READ]);
	permissions_free(&permissions);
}

static void drop_path(char **paths, size_t i)
{
	free(paths[i]);
	do
		paths[i] = paths[i + 1];
	while (paths[i++]);
}

/* What the policy gives already is no question. */
static void drop_given(struct grant *grant, const struct permissions *permissions)
{
	static const enum grant_list lists[] = {GRANT_WRITE, GRANT_READ};

	for (size_t m = 0; m < sizeof(lists) / sizeof(lists[0]); m++) {
		char **paths = grant->paths[lists[m]];

		for (size_t i = 0; paths && paths[i];) {
			enum access now = permissions_resolve(permissions, paths[i], NULL);

			if (now == ACCESS_WRITE || (lists[m] == GRANT_READ && now == ACCESS_READ))
				drop_path(paths, i);
			else
				i++;
		}
	}
	if (grant->network <= (int)permissions->network)
		grant->network = -1;
}

void additional_grant(const json_t *doc, struct grant *grant)
{
	const json_t *wanted =
	        json_object_get(json_object_get(doc, "command"), "additional_permissions");
	const json_t *policy = json_object_get(doc, "policy");
	struct permissions permissions;
	struct error none = {0};

	if (!json_is_object(wanted) ||
	    mode_width(policy_mode(policy)) > mode_width(MODE_WORKSPACE_WRITE) ||
	    grant_get(wanted, grant, &none) < 0 ||
	    permissions_get(json_object_get(policy, "permissions"), &permissions, &none) < 0)
		return;
	drop_given(grant, &permissions);
	permissions_free(&permissions);
	grant_without_hidden(policy, grant);
}

static bool lists(char *const *paths, const char *path)
{
	for (; paths && *paths; paths++)
		if (strcmp(*paths, path) == 0)
			return true;
	return false;
}

void grant_intersect(struct grant *grant, const struct grant *wanted)
{
	for (int list = 0; list < GRANT_LISTS; list++)
		for (size_t i = 0; grant->paths[list] && grant->paths[list][i];)
			if (lists(wanted->paths[list], grant->paths[list][i]))
				i++;
			else
				drop_path(grant->paths[list], i);
	if (grant->network > wanted->network)
		grant->network = wanted->network;
	grant->outside = false;
}

/* A directory is as sensitive as what it holds. */
static char *why_sensitive(const char *path, enum grant_list list)
{
	const char *why = list == GRANT_SOCKETS ? sensitive_socket(path) : sensitive_path(path);

	return list == GRANT_WRITE ? sensitive_to_change(path) : why ? xstrdup(why) : NULL;
}

json_t *grant_sensitive(const struct grant *grant)
{
	json_t *out = xjson(json_object());

	for (int list = 0; list < GRANT_PATHS; list++)
		for (char **path = grant->paths[list]; path && *path; path++) {
			cleanup_free char *why = why_sensitive(*path, (enum grant_list)list);

			/* A name that is no text is no key, and is shown where it stands. */
			if (why)
				json_object_set_new(out, *path, os_string(why));
		}
	return out;
}
