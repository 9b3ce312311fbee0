#include "answer/check_path.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/document.h"
#include "document/osstring.h"
#include "fs/casefold.h"
#include "fs/followed_path.h"
#include "fs/globs.h"
#include "fs/path.h"
#include "policy/words.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

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

/*
 * A HEAD that is still to be made: with objects and refs beside it, any
 * directory is a repository, and git runs what its config names.
 */
static bool makes_repository(const struct trail *trail)
{
	return trail->stopped && strcasecmp(strrchr(trail->target, '/'), "/HEAD") == 0 &&
	       !path_has(trail->target, ".git");
}

/* A pattern also names what is made later, which no backend but macOS's sees. */
static const char *denying_glob(const struct policy *policy, const char *path, const char *real)
{
	for (size_t i = 0; i < json_array_size(policy->deny_globs); i++) {
		const char *pattern = json_string_value(json_array_get(policy->deny_globs, i));

		if (glob_covers(pattern, real) || glob_covers(pattern, path))
			return pattern;
	}
	return NULL;
}

static bool allows(enum access has, enum access wanted)
{
	return has == ACCESS_WRITE || (has == ACCESS_READ && wanted == ACCESS_READ);
}

/*
 * The entry that a path means in other letters, where the file system takes
 * them for the same; NULL when there is none that denies more.
 */
static const struct entry *respelled(const struct permissions *permissions, const char *path,
                                     enum access access)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		size_t len = strlen(entry->path);
		cleanup_free char *alias = NULL, *parent = NULL;

		if (allows(entry->access, access) || strncasecmp(entry->path, path, len) != 0 ||
		    strncmp(entry->path, path, len) == 0 || (path[len] && path[len] != '/'))
			continue;
		alias = xstrndup(path, len);
		parent = path_parent(alias);
		if (is_other_spelling(alias) || ignores_case(parent))
			return entry;
	}
	return NULL;
}

static void refuse(struct verdict *verdict, const char *rule, enum access access)
{
	free(verdict->rule);
	verdict->rule = rule ? xstrdup(rule) : NULL;
	verdict->access = access;
	verdict->allowed = false;
}

static void decide(struct verdict *verdict, const struct policy *policy, enum access access,
                   const struct trail *trail, const char *lexical)
{
	const struct entry *entry = NULL;
	enum access has = permissions_resolve(&policy->permissions, trail->target, &entry);
	const char *glob;

	verdict->allowed = allows(has, access);
	verdict->real = xstrdup(trail->target);
	verdict->access = has;
	verdict->rule = entry ? xstrdup(entry->path) : NULL;
	/* Behind a directory that we may not search, a link could lead anywhere. */
	if (trail->stopped == EACCES)
		verdict->allowed = false;
	/* A link that is hidden leads nowhere from inside. */
	for (size_t i = 0; verdict->allowed && i < trail->count; i++) {
		if (permissions_resolve(&policy->permissions, trail->links[i], &entry) !=
		    ACCESS_NONE)
			continue;
		refuse(verdict, entry ? entry->path : NULL, ACCESS_NONE);
	}
	if (verdict->allowed && access == ACCESS_WRITE &&
	    policy->settings->mode.value == MODE_WORKSPACE_WRITE) {
		cleanup_free char *git = unseen_git(verdict->rule, trail->target);

		if (git)
			refuse(verdict, git, ACCESS_READ);
		else if (makes_repository(trail))
			refuse(verdict, trail->target, ACCESS_READ);
	}
	entry = verdict->allowed ? respelled(&policy->permissions, trail->target, access) : NULL;
	if (entry)
		refuse(verdict, entry->path, entry->access);
	glob = verdict->allowed ? denying_glob(policy, lexical, trail->target) : NULL;
	if (glob)
		refuse(verdict, glob, ACCESS_NONE);
}

void verdict_find(struct verdict *verdict, const struct policy *policy, const char *base,
                  enum access access, const char *path)
{
	struct error why = {0};
	struct trail trail;

	*verdict = (struct verdict){.access = ACCESS_NONE};
	if (!path[0])
		return;
	/* The real target is what counts, wherever the links to it are. */
	if (trail_follow(&trail, base, path, &why) == 0) {
		cleanup_free char *lexical = path_join(base, path);

		decide(verdict, policy, access, &trail, lexical);
	}
	trail_free(&trail);
}

void verdict_free(struct verdict *verdict)
{
	free(verdict->real);
	free(verdict->rule);
}

static json_t *verdict_json(const struct verdict *verdict, enum access access, const char *path)
{
	json_t *rule = verdict->rule
	                       ? xjson(json_pack("{s:o,s:s}", "path", os_string(verdict->rule),
	                                         "access", access_names[verdict->access]))
	                       : json_null();

	return xjson(json_pack("{s:o,s:s,s:b,s:o,s:o}", "path", os_string(path), "access",
	                       access_names[access], "allowed", verdict->allowed, "entry", rule,
	                       "real", verdict->real ? os_string(verdict->real) : json_null()));
}

int check_paths(const struct policy *policy, const char *base, enum access access, char **paths,
                struct error *err)
{
	int status = 0;

	for (; *paths; paths++) {
		struct verdict verdict;
		cleanup_json json_t *line = NULL;

		verdict_find(&verdict, policy, base, access, *paths);
		line = verdict_json(&verdict, access, *paths);
		if (!verdict.allowed)
			status = 1;
		verdict_free(&verdict);
		if (document_write(line, stdout, err) < 0)
			return -1;
	}
	return status;
}
