#include "trust/could_write.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "policy/words.h"

#include <stdlib.h>
#include <string.h>

static bool holds(const json_t *policy)
{
	int mode = policy_mode(policy);

	return mode != MODE_DANGER && mode != MODE_EXTERNAL;
}

static int add_granted(struct could_write *w, const json_t *doc, struct error *err)
{
	const json_t *result = json_object_get(doc, "result");
	const json_t *write = json_object_get(json_object_get(result, "granted"), "write");
	cleanup_vector char **paths = write ? os_vector_get(write, "result.granted", err) : NULL;

	if (write && !paths)
		return -1;
	for (char **path = paths; path && *path; path++)
		if (path_is_normal(*path))
			permissions_force(&w->permissions, *path, ACCESS_WRITE);
	return 0;
}

int could_write_get(struct could_write *w, const json_t *doc, struct error *err)
{
	const json_t *policy = json_object_get(doc, "policy");
	const json_t *cwd = json_object_get(json_object_get(doc, "command"), "cwd");
	cleanup_free char *given = NULL;
	struct error none = {0};

	*w = (struct could_write){.held = holds(policy)};
	if (!w->held)
		return 0;
	if (permissions_get(json_object_get(policy, "permissions"), &w->permissions, err) < 0 ||
	    add_granted(w, doc, err) < 0)
		return -1;
	given = cwd ? os_string_get(cwd, "command.cwd", &none) : NULL;
	w->cwd = given && given[0] == '/' ? path_canonical(given, &none) : NULL;
	return 0;
}

void could_write_free(struct could_write *w)
{
	permissions_free(&w->permissions);
	free(w->cwd);
	*w = (struct could_write){0};
}

const char *could_write(const struct could_write *w, const char *path)
{
	cleanup_free char *at = xstrdup(path);

	if (!w->held)
		return NULL;
	if (w->cwd && path_depth(w->cwd) > 0 && path_contains(w->cwd, path))
		return "it is in the working directory";
	if (path_contains("/tmp", path) || path_contains("/private/tmp", path))
		return "it is in /tmp";
	/* Who can write a directory above it can put another in its place. */
	for (;;) {
		char *up;

		if (permissions_resolve(&w->permissions, at, NULL) == ACCESS_WRITE)
			return "the sandbox can write it";
		if (path_depth(at) == 0)
			return NULL;
		up = path_parent(at);
		free(at);
		at = up;
	}
}
