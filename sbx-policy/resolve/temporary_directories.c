#include "resolve/temporary_directories.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "trust/trusted_place.h"

#include <string.h>
#include <sys/stat.h>

/*
 * The directory to grant, or NULL: then *reason is a line to print, or NULL
 * when the directory is writable anyway.  All other roots are in the policy.
 */
static char *tmpdir_grant(const struct workbench *bench, const char *value, char **reason)
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
	else if (bench_writable(bench, trail.target)) {
		/* Nothing to widen; a root of its own it is, with protected names. */
		if (!trail.stopped && S_ISDIR(trail.st.st_mode))
			path = xstrdup(trail.target);
	} else if ((why = place_not_writable(&trail, USE_TEMPORARY, NULL,
	                                     &bench->policy->permissions)) == NULL)
		path = xstrdup(trail.target);
	if (why)
		*reason = xasprintf("TMPDIR: \"%s\": %s; not made writable", value, why);
	trail_free(&trail);
	return path;
}

void grant_slash_tmp(struct workbench *bench, const char *source)
{
	cleanup_free char *tmp = slash_tmp();

	if (!tmp)
		return;
	policy_add(bench->policy, tmp, ACCESS_WRITE, source, false);
	root_list_add(&bench->temporary, tmp);
}

void decide_tmp(struct workbench *bench)
{
	cleanup_free char *tmp = slash_tmp();
	const struct origin *origin = tmp ? policy_origin(bench->policy, tmp) : NULL;

	if (bench->policy->settings->tmp.value == TMP_SHARED || !origin ||
	    origin->access != ACCESS_WRITE || origin->named ||
	    strcmp(bench->policy->workspace, tmp) == 0)
		return;
	bench->policy->tmp_private = true;
	/* Elsewhere it is the host's after all, and sbx-select says so. */
#ifdef __linux__
	bench->private_tmp = keep_ptr(tmp);
#endif
}

const char *tmp_source(const struct policy *policy)
{
	cleanup_free char *tmp = slash_tmp();
	const struct origin *origin = tmp ? policy_origin(policy, tmp) : NULL;

	if (policy->tmp_private || policy->settings->tmp.value == TMP_SHARED)
		return policy->settings->tmp.source;
	return origin ? origin->source : policy->settings->mode.source;
}

/* The same path is made in the private /tmp: nothing of the host's is opened by it. */
static bool lies_in_private(const struct workbench *bench, const char *value)
{
	struct error none = {0};
	cleanup_free char *real = bench->private_tmp ? path_canonical(value, &none) : NULL;

	return real && bench_is_private(bench, real);
}

void grant_tmpdir(struct workbench *bench)
{
	const char *value = bench->tmpdir ? getenv("TMPDIR") : NULL;
	cleanup_free char *tmp = NULL;
	cleanup_free char *reason = NULL;
	cleanup_free char *path = NULL;

	if (!value || !value[0] || lies_in_private(bench, value))
		return;
	path = tmpdir_grant(bench, value, &reason);
	if (reason)
		notes_add(bench->notes, "%s", reason);
	tmp = path ? slash_tmp() : NULL;
	/* What was excluded by name does not come back under another. */
	if (path && tmp && path_contains(path, tmp)) {
		if (bench_writable(bench, path))
			return;
		notes_add(bench->notes, "TMPDIR: \"%s\": /tmp is excluded; not made writable",
		          value);
	} else if (path) {
		policy_add(bench->policy, path, ACCESS_WRITE, bench->tmpdir, false);
		root_list_add(&bench->temporary, path);
	}
}
