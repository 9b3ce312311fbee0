#include "resolve/tool_caches.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/complain.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "trust/cache_place.h"
#include "trust/settings_home.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE(program, variable, place, kept) {program, variable, place, kept},

static const struct tool {
	const char *program, *variable, *place, *kept;
} tools[] = {
#include "../../share/caches"
};

/* Opened once: most programs of the table are in none of them. */
struct search_path {
	int *directories;
	size_t count;
};

static struct search_path search_path_open(void)
{
	cleanup_free char *list = xstrdup(getenv("PATH") ? getenv("PATH") : "");
	struct search_path path = {0};
	char *rest = list;

	for (const char *name; (name = strsep(&rest, ":")) != NULL;) {
		int fd = name[0] == '/' ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

		if (fd >= 0)
			list_add(path.directories, path.count, fd);
	}
	return path;
}

static bool is_on_path(const char *program)
{
	static struct search_path path;

	if (!path.directories)
		path = search_path_open();
	for (size_t i = 0; i < path.count; i++)
		if (faccessat(path.directories[i], program, X_OK, 0) == 0)
			return true;
	return false;
}

/* Several caches of one program follow each other in the table. */
static bool is_installed(const char *program, const char *workspace)
{
	static const char *last;
	static bool found;
	cleanup_free char *own = path_join(workspace, program + strspn(program, "./"));

	if (program[0] == '.')
		return access(own, X_OK) == 0;
	if (!last || strcmp(last, program) != 0)
		found = is_on_path(program);
	last = program;
	return found;
}

/* Nothing is there, and the tool would make it. */
static char *missing_place(const struct tool *tool, const char *workspace, const char *home)
{
	cleanup_free char *path = path_join(home, tool->place);
	struct stat st;

	if (!tool->program || lstat(path, &st) == 0 ||
	    (tool->program[0] && !is_installed(tool->program, workspace)))
		return NULL;
	return keep_ptr(path);
}

static char *named_place(const struct tool *tool, const struct policy *policy)
{
	const struct cache named = {policy->workspace, tool->place, tool->variable, tool->place,
	                            NULL};
	struct notes unsaid = {0};
	/* Nobody asked for it, so nothing is said about a variable that is not believed. */
	char *path = getenv(tool->variable) ? cache_directory(&named, &unsaid) : NULL;

	notes_free(&unsaid);
	return path;
}

/* Only a copy is ever written, so it may hold anything; but not from anywhere. */
static char *usual_place(const struct tool *tool, const char *home)
{
	cleanup_free char *usual = path_below(home, tool->place);
	cleanup_free char *path = NULL;
	struct stat st;

	/* Most are missing, which is found out sooner this way. */
	if (lstat(usual, &st) < 0)
		return NULL;
	path = realpath(usual, NULL);
	if (!path || !path_contains(home, path) || stat(path, &st) < 0 || !S_ISDIR(st.st_mode) ||
	    st.st_uid != geteuid())
		return NULL;
	return keep_ptr(path);
}

static char *place_of(const struct tool *tool, const struct policy *policy, const char *home)
{
	char *path = named_place(tool, policy);

	path = path ? path : usual_place(tool, home);
	return path ? path : missing_place(tool, policy->workspace, home);
}

/* One that is around another has it as well. */
static bool is_covered(const json_t *list, const char *path)
{
	size_t i;
	json_t *item;

	json_array_foreach (list, i, item) {
		const char *there = json_string_value(json_object_get(item, "path"));

		if (there && path_contains(there, path))
			return true;
	}
	return false;
}

/* A home that is not there, or is somebody else's, has no caches that could be ours. */
static bool is_own(const char *home)
{
	struct stat st;

	return stat(home, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

/* Where nothing of a command's is kept; found once, and not for each path. */
static void find_own_places(char *places[OWN_PLACES])
{
	for (unsigned i = 0; i < OWN_PLACES; i++)
		places[i] = own_place(i);
}

static bool is_in(char *const places[OWN_PLACES], const char *path)
{
	for (unsigned i = 0; i < OWN_PLACES; i++)
		if (places[i] && path_contains(places[i], path))
			return true;
	return inside_tmp_place(path);
}

static json_t *cache_member(const struct tool *tool, const char *path)
{
	json_t *keep = xjson(json_array());

	if (tool->kept)
		json_array_append_new(keep, xjson(json_string(tool->kept)));
	return xjson(json_pack("{s:o,s:o}", "path", os_string(path), "keep", keep));
}

json_t *tool_caches(const struct policy *policy)
{
	cleanup_free char *home = home_named();
	json_t *list = xjson(json_array());
	char *own[OWN_PLACES];

	if (!home || !is_own(home))
		return list;
	find_own_places(own);
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		cleanup_free char *path = place_of(&tools[i], policy, home);

		if (path && permissions_resolve(&policy->permissions, path, NULL) == ACCESS_READ &&
		    !is_covered(list, path) && !is_in(own, path))
			json_array_append_new(list, cache_member(&tools[i], path));
	}
	for (unsigned i = 0; i < OWN_PLACES; i++)
		free(own[i]);
	return list;
}
