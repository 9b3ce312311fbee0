#include "kept/appeared_at_home.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "trust/sensitive_places.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool is_missing(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

char **missing_at_home(const struct permissions *permissions)
{
	cleanup_free char *home = home_registered();
	struct strings missing = {0};
	const char *name;

	for (size_t i = 0; home && (name = sensitive_in_home(i)) != NULL; i++) {
		cleanup_free char *path = path_below(home, name);

		if (permissions_resolve(permissions, path, NULL) == ACCESS_WRITE &&
		    is_missing(path))
			strings_add(&missing, keep_ptr(path));
	}
	return missing.items;
}

void tell_appeared(char **missing)
{
	for (char **path = missing; path && *path; path++) {
		const char *why = is_missing(*path) ? NULL : sensitive_path(*path);

		if (why)
			complain("\"%s\" was created during the run (%s): review it", *path, why);
	}
	os_vector_free(missing);
}
