#include "ask/least_grant.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "grant/denial.h"
#include "policy/permissions.h"
#include "trust/sensitive_places.h"
#include "trust/sensitive_sockets.h"

#include <string.h>

json_t *denials_grant(const json_t *denials)
{
	cleanup_json json_t *grant = xjson(json_object());
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial) {
		cleanup_json json_t *more = denial_grant(denial);

		if (more)
			grant_add(grant, more);
	}
	return json_object_size(grant) ? json_incref(grant) : NULL;
}

/* By an entry of its own; a place that no entry is about is merely not given. */
static bool is_hidden(const struct permissions *permissions, const char *path)
{
	const struct entry *entry = NULL;

	return permissions_resolve(permissions, path, &entry) == ACCESS_NONE && entry &&
	       path_depth(entry->path) > 0;
}

json_t *grant_without_hidden(const json_t *policy, json_t *grant)
{
	static const char *const lists[] = {"write", "read"};
	struct permissions permissions;
	struct error err = {0};

	if (!grant ||
	    permissions_get(json_object_get(policy, "permissions"), &permissions, &err) < 0)
		return grant;
	for (size_t m = 0; m < sizeof(lists) / sizeof(lists[0]); m++) {
		json_t *paths = json_object_get(grant, lists[m]);

		for (size_t i = json_array_size(paths); i-- > 0;) {
			cleanup_free char *path =
			        os_string_get(json_array_get(paths, i), "grant", &err);

			if (!path || is_hidden(&permissions, path))
				json_array_remove(paths, i);
		}
		if (paths && json_array_size(paths) == 0)
			json_object_del(grant, lists[m]);
	}
	permissions_free(&permissions);
	if (json_object_size(grant) > 0)
		return grant;
	json_decref(grant);
	return NULL;
}

/* A directory is as sensitive as what it holds. */
static char *why_sensitive(const char *path, const char *list)
{
	const char *why =
	        strcmp(list, "unix_sockets") == 0 ? sensitive_socket(path) : sensitive_path(path);
	cleanup_free char *below = NULL;

	if (why)
		return xstrdup(why);
	if (strcmp(list, "write") == 0)
		below = sensitive_below(path, 0);
	return below ? xasprintf("holds %s: %s", below, sensitive_path(below)) : NULL;
}

json_t *grant_sensitive(const json_t *grant)
{
	static const char *const lists[] = {"write", "read", "unix_sockets"};
	json_t *out = xjson(json_object());

	for (size_t m = 0; m < sizeof(lists) / sizeof(lists[0]); m++) {
		size_t i;
		json_t *value;

		json_array_foreach (json_object_get(grant, lists[m]), i, value) {
			struct error none = {0};
			cleanup_free char *path = os_string_get(value, "grant", &none);
			cleanup_free char *why = path ? why_sensitive(path, lists[m]) : NULL;

			/* A name that is no text is shown where it stands. */
			if (why && json_is_string(value))
				json_object_set_new(out, path, os_string(why));
		}
	}
	return out;
}
