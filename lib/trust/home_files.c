#include "trust/home_files.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "trust/sensitive_places.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool root_holds(const char *root, const char *path)
{
	return path_depth(root) > 0 && path_contains(root, path);
}

/* Who names the place itself has it. */
static bool is_kept(const struct roots *roots, const char *place)
{
	bool held = false;

	for (size_t i = 0; i < roots->count; i++) {
		if (strcmp(roots->paths[i], place) == 0)
			return false;
		held = held || root_holds(roots->paths[i], place);
	}
	return held;
}

static bool is_near(const struct roots *roots, const char *home)
{
	for (size_t i = 0; i < roots->count; i++)
		if (root_holds(roots->paths[i], home) || path_contains(home, roots->paths[i]))
			return true;
	return false;
}

static int add_places(struct strings *places, const char *home, const struct roots *roots)
{
	size_t len = home ? strlen(home) : 0;
	char path[PATH_MAX + NAME_MAX];
	const char *name;

	if (!home || len >= PATH_MAX || (roots && !is_near(roots, home)))
		return 0;
	memcpy(path, home, len);
	path[len++] = '/';
	for (size_t i = 0; (name = sensitive_in_home(i)) != NULL; i++) {
		struct stat st;

		memcpy(path + len, name, strlen(name) + 1);
		if (roots && !is_kept(roots, path))
			continue;
		if (lstat(path, &st) < 0) {
			if (error_is_ours(errno))
				return -1;
			continue;
		}
		strings_add(places, xstrdup(path));
	}
	return 0;
}

int homes_find(struct homes *homes, const struct roots *roots)
{
	cleanup_free char *named = home_named();

	*homes = (struct homes){.registered = home_registered()};
	if ((!homes->registered && errno != 0) ||
	    add_places(&homes->places, homes->registered, roots) < 0)
		return -1;
	if (named && homes->registered && strcmp(named, homes->registered) == 0)
		return 0;
	return add_places(&homes->places, named, roots);
}

void homes_free(struct homes *homes)
{
	strings_free(&homes->places);
	free(homes->registered);
	*homes = (struct homes){0};
}
