#include "codex_home.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "document/platform.h"
#include "fs/path.h"
#include "variables.h"

#include <stdlib.h>
#include <string.h>

static char *look_up(const json_t *doc, const char *name)
{
	static const char *const members[] = {"exec", "command"};
	char *own = own_variable(name);

	if (own)
		return own;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const json_t *env = json_object_get(json_object_get(doc, members[i]), "env");
		const json_t *value = json_object_get(env, name);
		struct error ignored = {0};
		char *text = value ? os_string_get(value, name, &ignored) : NULL;

		if (text && text[0])
			return text;
		free(text);
	}
	return NULL;
}

/* A folder of another kind of system cannot be opened here. */
static bool is_here(const char *path)
{
	return strcmp(platform_own(), "windows") == 0 || path[0] == '/';
}

static char *find(const json_t *doc)
{
	static const char *const homes[] = {"USERPROFILE", "HOME"};
	char *given = look_up(doc, "CODEX_HOME");

	if (given)
		return given;
	for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++) {
		cleanup_free char *user = look_up(doc, homes[i]);

		if (user && is_here(user))
			return xasprintf("%s/.codex", user);
	}
	return NULL;
}

int home_find(const json_t *doc, struct home *home, struct error *err)
{
	cleanup_free char *state = NULL;
	struct error why = {0};

	home->native = find(doc);
	if (!home->native)
		return error_set(err, EXIT_INPUT, "no-home", "CODEX_HOME: not set, nor is HOME");
	if (!is_here(home->native) || !platform_absolute(platform_own(), home->native) ||
	    winpath_get(home->native, &home->folder, &why) < 0)
		return error_set(err, EXIT_INPUT, "bad-home", "CODEX_HOME: %s%s",
		                 why.exit ? why.message : home->native,
		                 why.exit ? "" : ": not an absolute path here");
	state = xasprintf("%s\\sbx-wintoken", home->folder.path);
	return winpath_get(state, &home->state, err);
}

void home_free(struct home *home)
{
	free(home->native);
	winpath_free(&home->folder);
	winpath_free(&home->state);
	*home = (struct home){0};
}

int home_check(const struct home *home, const struct rules *rules, struct error *err)
{
	bool writable = permissions_resolve(&rules->keys, home->folder.key, NULL) == ACCESS_WRITE;

	for (size_t i = 0; i < rules->count && !writable; i++)
		writable = rules->list[i].is_root &&
		           path_contains(home->state.key, rules->list[i].path.key);
	if (!writable)
		return 0;
	return error_set(err, EXIT_UNAVAILABLE, "home-writable",
	                 "CODEX_HOME: \"%s\": the policy makes it writable, and the command could "
	                 "choose its own rights: make it read-only in the policy",
	                 home->folder.path);
}
