#include "cachedir.h"

#include "cleanup.h"
#include "memory.h"
#include "path.h"
#include "trail.h"

#include <string.h>

/* In the home directory, and never a cache. */
static const char *const not_caches[] = {
        ".ssh",    ".gnupg", ".aws",       ".azure", ".kube",           /* keys */
        ".docker", ".codex", ".git",       ".netrc", ".password-store", /* keys, settings */
        ".config", "bin",    ".local/bin",                              /* settings, programs */
};

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
	for (size_t i = 0; i < sizeof(not_caches) / sizeof(not_caches[0]); i++) {
		cleanup_free char *other = path_join(home, not_caches[i]);

		if (path_contains(other, path) || path_contains(path, other))
			return "holds other things than a cache";
	}
	return NULL;
}

/* The value of a variable if it can be believed, canonical. */
static char *from_variable(const char *workspace, const char *home, const char *variable,
                           struct notes *notes)
{
	const char *value = variable[0] ? getenv(variable) : NULL;
	cleanup_free char *path = NULL;
	const char *why;

	if (!value || !value[0])
		return NULL;
	path = value[0] == '/' ? real_directory(value) : NULL;
	why = path ? doubt(workspace, home, path) : "not a directory";
	if (!why)
		return keep_ptr(path);
	notes_add(notes, "%s: \"%s\": %s; not used", variable, value, why);
	return NULL;
}

char *cache_directory(const char *workspace, const char *variable, const char *place,
                      struct notes *notes)
{
	const char *value = getenv("HOME");
	cleanup_free char *home = value && value[0] == '/' ? real_directory(value) : NULL;
	cleanup_free char *path = NULL;
	cleanup_free char *usual = NULL;

	if (!home)
		return NULL;
	path = from_variable(workspace, home, variable, notes);
	if (path)
		return keep_ptr(path);
	if (strncmp(place, ".cache/", 7) == 0) {
		cleanup_free char *caches = from_variable(workspace, home, "XDG_CACHE_HOME", notes);

		usual = caches ? path_join(caches, place + 7) : NULL;
	}
	if (!usual)
		usual = path_join(home, place);
	path = real_directory(usual);
	/* The usual place can be a link, to anywhere. */
	if (path && doubt(workspace, home, path)) {
		notes_add(notes, "\"%s\": leads to \"%s\"; not used", usual, path);
		return NULL;
	}
	return keep_ptr(path);
}
