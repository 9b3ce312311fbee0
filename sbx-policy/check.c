#include "check.h"

#include "cleanup.h"
#include "document.h"
#include "memory.h"
#include "osstring.h"
#include "path.h"
#include "trail.h"

#include <stdbool.h>
#include <errno.h>
#include <string.h>

/*
 * A `.git` below the deciding entry, which the walk did not get to or which
 * is still to be made: NULL when there is none.
 */
static char *unseen_git(const char *root, const char *path)
{
	const char *p = path + (root[1] ? strlen(root) : 0);

	for (; (p = strstr(p, "/.git")) != NULL; p += 5)
		if (p[5] == '/' || p[5] == '\0')
			return xstrndup(path, (size_t)(p + 5 - path));
	return NULL;
}

static json_t *entry_json(const char *path, enum access access)
{
	return xjson(
	        json_pack("{s:o,s:s}", "path", os_string(path), "access", access_names[access]));
}

static json_t *verdict(const struct policy *policy, const char *base, enum access access,
                       const char *path)
{
	cleanup_free char *git = NULL;
	const struct entry *entry = NULL;
	json_t *deciding = NULL, *real = NULL;
	struct error why = {0};
	struct trail trail;
	bool allowed = false;

	/* The real target is what counts, wherever the links to it are. */
	if (path[0] && trail_follow(&trail, base, path, &why) == 0) {
		enum access has = permissions_resolve(&policy->permissions, trail.target, &entry);

		allowed = has == ACCESS_WRITE || (has == ACCESS_READ && access == ACCESS_READ);
		/* Behind a directory that we may not search, a link could lead anywhere. */
		if (trail.stopped == EACCES)
			allowed = false;
		real = os_string(trail.target);
		if (entry)
			deciding = entry_json(entry->path, entry->access);
		if (allowed && access == ACCESS_WRITE &&
		    policy->settings->mode.value == MODE_WORKSPACE_WRITE)
			git = unseen_git(entry->path, trail.target);
		if (git) {
			allowed = false;
			json_decref(deciding);
			deciding = entry_json(git, ACCESS_READ);
		}
		trail_free(&trail);
	} else if (path[0]) {
		trail_free(&trail);
	}
	return xjson(json_pack("{s:o,s:s,s:b,s:o,s:o}", "path", os_string(path), "access",
	                       access_names[access], "allowed", allowed, "entry",
	                       deciding ? deciding : json_null(), "real",
	                       real ? real : json_null()));
}

int check_paths(const struct policy *policy, const char *base, enum access access, char **paths,
                struct error *err)
{
	int status = 0;

	for (; *paths; paths++) {
		cleanup_json json_t *line = verdict(policy, base, access, *paths);

		if (!json_is_true(json_object_get(line, "allowed")))
			status = 1;
		if (document_write(line, stdout, err) < 0)
			return -1;
	}
	return status;
}
