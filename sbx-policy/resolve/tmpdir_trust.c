#include "resolve/tmpdir_trust.h"

#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "trust/trusted_place.h"

#include <sys/stat.h>

char *tmpdir_grant(const struct workbench *bench, const char *value, char **reason)
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
