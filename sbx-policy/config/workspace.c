#include "config/workspace.h"

#include "base/cleanup.h"
#include "fs/followed_path.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static char *working_directory(struct error *err)
{
	char *path = getcwd(NULL, 0);

	/* The kernel says "(unreachable)" of a directory outside this root. */
	if (path && path[0] == '/')
		return path;
	free(path);
	error_set(err, EXIT_INPUT, "bad-cwd", "cwd: the working directory %s",
	          path || errno == ENOENT ? "no longer exists" : strerror(errno));
	return NULL;
}

char *directory_canonical(const char *path, const char *what, struct error *err)
{
	cleanup_free char *here = NULL;
	struct error why = {0};
	struct trail trail;
	char *found = NULL;

	if (path[0] != '/') {
		here = working_directory(err);
		if (!here)
			return NULL;
	}
	/* /proc/self/fd/N as a cwd is a way out through a leaked fd (CVE-2024-21626). */
	if (trail_follow(&trail, here, path, &why) < 0)
		error_set(err, why.exit, "bad-cwd", "%s: %s", what, why.message);
	else if (trail.stopped == ENOENT || !path[0])
		error_set(err, EXIT_INPUT, "bad-cwd", "%s: \"%s\": no such directory", what, path);
	else if (trail.stopped && trail.stopped != ENOTDIR)
		error_set(err, EXIT_INPUT, "bad-cwd", "%s: \"%s\": %s", what, path,
		          strerror(trail.stopped));
	else if (trail.stopped || !S_ISDIR(trail.st.st_mode))
		error_set(err, EXIT_INPUT, "bad-cwd", "%s: \"%s\": not a directory", what, path);
	else
		found = keep_ptr(trail.target);
	trail_free(&trail);
	return found;
}

char *workspace_find(const char *directory, struct error *err)
{
	return directory ? directory_canonical(directory, "cwd", err) : working_directory(err);
}
