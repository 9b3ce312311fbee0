#include "resolve/tool_caches.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "base/complain.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "resolve/on_path.h"
#include "trust/cache_place.h"
#include "trust/settings_home.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

#define CACHE(program, variable, place, kept) {program, variable, place, kept},

static const struct tool {
	const char *program, *variable, *place, *kept;
} tools[] = {
#include "../../share/caches"
};

/* Several caches of one program follow each other in the table. */
static bool is_installed(const char *program, const char *workspace)
{
	static const char *last;
	static bool found;

	if (program[0] == '.') {
		cleanup_free char *own = path_join(workspace, program + strspn(program, "./"));

		return access(own, F_OK) == 0;
	}
	if (!last || strcmp(last, program) != 0)
		found = is_on_path(program);
	last = program;
	return found;
}

/* Nothing is there, and the tool would make it. */
static char *missing_place(const struct tool *tool, const char *workspace, const char *home)
{
	if (!tool->program || (tool->program[0] && !is_installed(tool->program, workspace)))
		return NULL;
	return path_join(home, tool->place);
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

	path = realpath(usual, NULL);
	if (!path || !path_contains(home, path) || stat(path, &st) < 0 || !S_ISDIR(st.st_mode) ||
	    st.st_uid != geteuid())
		return NULL;
	return keep_ptr(path);
}

static char *place_of(const struct tool *tool, const struct policy *policy, const char *home,
                      int directory)
{
	char *path = named_place(tool, policy);
	struct stat st;

	if (path)
		return path;
	return fstatat(directory, tool->place, &st, AT_SYMLINK_NOFOLLOW) == 0
	               ? usual_place(tool, home)
	               : missing_place(tool, policy->workspace, home);
}

/* One that is around another has it as well. */
static bool is_covered(const struct strings *listed, const char *path)
{
	for (size_t i = 0; i < listed->count; i++)
		if (path_contains(listed->items[i], path))
			return true;
	return false;
}

/* A home that is not there, or is somebody else's, has no caches that could be ours. */
static int open_own(const char *home)
{
	cleanup_close int fd = open(home, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() ? keep_fd(&fd) : -1;
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
	cleanup_close int directory = home ? open_own(home) : -1;
	json_t *list = xjson(json_array());
	struct strings listed = {0};
	char *own[OWN_PLACES];

	if (directory < 0)
		return list;
	find_own_places(own);
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		cleanup_free char *path = place_of(&tools[i], policy, home, directory);

		if (path && permissions_resolve(&policy->permissions, path, NULL) == ACCESS_READ &&
		    !is_covered(&listed, path) && !is_in(own, path)) {
			json_array_append_new(list, cache_member(&tools[i], path));
			strings_add(&listed, keep_ptr(path));
		}
	}
	strings_free(&listed);
	for (unsigned i = 0; i < OWN_PLACES; i++)
		free(own[i]);
	return list;
}
