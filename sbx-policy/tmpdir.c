#include "tmpdir.h"

#include "cleanup.h"
#include "home.h"
#include "memory.h"
#include "path.h"
#include "protect.h"
#include "trail.h"

#include <sys/stat.h>
#include <unistd.h>

/* No temporary directory is in one of these, whoever owns it. */
static const char *const system_trees[] = {
        "/boot", "/etc", "/proc", "/sys", "/usr", /* the machine's own */
        "/bin",  "/lib", "/sbin",                 /* where these are not links into /usr */
};

/* Sticky and shared, like /tmp, or the caller's alone. */
static bool is_temporary(const struct stat *st)
{
	uid_t me = geteuid();

	if ((st->st_mode & S_ISVTX) && (st->st_mode & S_IWOTH))
		return st->st_uid == 0 || st->st_uid == me;
	return st->st_uid == me && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/* True when directory is, or is above, the place that path leads to. */
static bool holds(const char *directory, const char *path)
{
	struct trail trail;
	struct error none = {0};
	bool result;

	if (!path || path[0] != '/')
		return false;
	result = (trail_follow(&trail, "/", path, &none) == 0 &&
	          path_contains(directory, trail.target)) ||
	         path_contains(directory, path);
	trail_free(&trail);
	return result;
}

static const char *why_not(const struct policy *policy, const struct trail *trail)
{
	const struct permissions *permissions = &policy->permissions;
	const char *path = trail->target;
	cleanup_free char *settings = settings_home();

	if (trail->stopped || !S_ISDIR(trail->st.st_mode))
		return "not a directory";
	if (path_depth(path) == 0)
		return "it is the whole file system";
	for (size_t i = 0; i < trail->count; i++)
		if (permissions_resolve(permissions, trail->links[i], NULL) == ACCESS_WRITE)
			return "reached through a link in a writable root";
	if (!is_temporary(&trail->st))
		return "neither private to this user nor sticky";
	for (size_t i = 0; i < permissions->count; i++)
		if (permissions->entries[i].access == ACCESS_WRITE &&
		    path_contains(path, permissions->entries[i].path))
			return "it contains another writable root";
	for (size_t i = 0; i < sizeof(system_trees) / sizeof(system_trees[0]); i++)
		if (path_contains(system_trees[i], path))
			return "it belongs to the system";
	if (path_depth(path) == 1 && !(trail->st.st_mode & S_ISVTX))
		return "a top-level directory that is not sticky";
	if (holds(path, getenv("HOME")))
		return "it contains the home directory";
	if (settings && (holds(path, settings) || path_contains(settings, path)))
		return "it holds the configuration, or is in it";
	if (inside_git(path))
		return "it is inside a repository's .git";
	return NULL;
}

char *tmpdir_grant(const struct policy *policy, const char *value, char **reason)
{
	struct trail trail = {0};
	struct error err = {0};
	const char *why = NULL;
	char *path = NULL;

	*reason = NULL;
	if (value[0] != '/')
		why = "not an absolute path";
	/* A step back may start in the workspace, and mean another place tomorrow. */
	else if (path_steps_back(value))
		why = "it contains \"..\"";
	else if (trail_follow(&trail, "/", value, &err) < 0)
		why = "it cannot be resolved";
	else if (permissions_resolve(&policy->permissions, trail.target, NULL) == ACCESS_WRITE) {
		/* Nothing to widen; a root of its own it is, with protected names. */
		if (!trail.stopped && S_ISDIR(trail.st.st_mode))
			path = xstrdup(trail.target);
	} else if ((why = why_not(policy, &trail)) == NULL)
		path = xstrdup(trail.target);
	if (why)
		*reason = xasprintf("TMPDIR: \"%s\": %s; not made writable", value, why);
	trail_free(&trail);
	return path;
}
