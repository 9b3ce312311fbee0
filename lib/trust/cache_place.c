#include "trust/cache_place.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "trust/trusted_place.h"

#include <string.h>

/* The canonical directory; NULL when there is none. */
static char *real_directory(const char *path)
{
	struct error none = {0};
	struct trail trail;
	char *found = NULL;

	if (trail_follow(&trail, "/", path, &none) == 0 && trail.stopped == 0 &&
	    S_ISDIR(trail.st.st_mode))
		found = xstrdup(trail.target);
	trail_free(&trail);
	return found;
}

static const char *doubt(const char *workspace, const char *home, const char *path)
{
	if (!path_contains(home, path) || strcmp(home, path) == 0)
		return "not below the home directory";
	if (path_contains(workspace, path) || path_contains(path, workspace))
		return "in the workspace, or around it";
	return place_is_kept(path);
}

/* What is opened of it: `inside`, or all of it, which then must hold nothing else. */
static const char *doubt_opened(const char *path, const char *inside, const char *tool)
{
	cleanup_free char *opened = path_join(path, inside);
	struct error none = {0};
	struct trail trail;
	const char *why = NULL;

	/* What does not exist is not opened. */
	if (trail_follow(&trail, "/", opened, &none) == 0 && trail.stopped == 0)
		why = strcmp(trail.target, opened) != 0 ? "a link leads out of it"
		      : S_ISREG(trail.st.st_mode)
		              ? NULL /* a lock: nothing else lives in it */
		              : place_not_writable(&trail, USE_CACHE, tool, NULL);
	trail_free(&trail);
	return why;
}

/* The value of a variable if it can be believed, canonical. */
static char *from_variable(const struct cache *cache, const char *home, const char *variable,
                           const char *inside, struct notes *notes)
{
	const char *value = variable[0] ? getenv(variable) : NULL;
	cleanup_free char *path = NULL;
	const char *why;

	if (!value || !value[0])
		return NULL;
	path = value[0] == '/' ? real_directory(value) : NULL;
	why = path ? doubt(cache->workspace, home, path) : "not a directory";
	if (path && !why && inside)
		why = doubt_opened(path, inside, cache->tool);
	if (!why)
		return keep_ptr(path);
	notes_add(notes, "%s: \"%s\": %s; not used", variable, value, why);
	return NULL;
}

/* The usual place, maybe in another XDG_CACHE_HOME, which is then judged like a variable's. */
static char *usual_place(const struct cache *cache, const char *home, struct notes *notes)
{
	static const char below[] = ".cache/";
	size_t len = strlen(below);
	cleanup_free char *caches = NULL;
	cleanup_free char *path = NULL;
	const char *why;

	if (strncmp(cache->place, below, len) != 0)
		return path_join(home, cache->place);
	caches = from_variable(cache, home, "XDG_CACHE_HOME", NULL, notes);
	if (!caches)
		return path_join(home, cache->place);
	path = path_join(caches, cache->place + len);
	why = doubt_opened(path, cache->inside, cache->tool);
	if (!why)
		return keep_ptr(path);
	notes_add(notes, "XDG_CACHE_HOME: \"%s\": %s; not used", path, why);
	return path_join(home, cache->place);
}

char *cache_directory(const struct cache *cache, struct notes *notes)
{
	const char *value = getenv("HOME");
	cleanup_free char *home = value && value[0] == '/' ? real_directory(value) : NULL;
	cleanup_free char *path = NULL;
	cleanup_free char *usual = NULL;

	if (!home)
		return NULL;
	path = from_variable(cache, home, cache->variable, cache->inside, notes);
	if (path)
		return keep_ptr(path);
	usual = usual_place(cache, home, notes);
	path = real_directory(usual);
	/* The usual place can be a link, to anywhere. */
	if (path && doubt(cache->workspace, home, path)) {
		notes_add(notes, "\"%s\": resolves to \"%s\"; not used", usual, path);
		return NULL;
	}
	return keep_ptr(path);
}
