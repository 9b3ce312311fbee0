#include "sockets.h"

#include "cleanup.h"
#include "memory.h"
#include "path.h"

#include <string.h>

static const json_t *list_of(const struct policy *policy, struct from *from)
{
	const struct settings *settings = policy->settings;

	if (settings->set.name)
		return config_get(&policy->set, from, "unix_sockets");
	if (settings->mode.value != MODE_WORKSPACE_WRITE)
		return NULL;
	return config_get(settings->config, from, "sandbox_workspace_write", "unix_sockets");
}

const char *sockets_source(const struct policy *policy)
{
	struct from from = {.source = "default"};

	list_of(policy, &from);
	return from.source;
}

/* The file itself, by the name that nothing inside can turn elsewhere. */
static char *canonical(const char *path, const char *source, struct error *err)
{
	const char *home = getenv("HOME");
	cleanup_free char *whole = NULL;
	struct error why = {0};
	char *real;

	if (path[0] == '~' && (!home || home[0] != '/')) {
		error_set(err, EXIT_INPUT, "bad-config", "%s: \"%s\": HOME is not set", source,
		          path);
		return NULL;
	}
	whole = path[0] == '~' ? path_join(home, path + 2) : xstrdup(path);
	real = path_canonical(whole, &why);
	if (!real)
		error_set(err, EXIT_INPUT, "bad-config", "%s: %s", source, why.message);
	else if (strcmp(real, "/") == 0)
		error_set(err, EXIT_INPUT, "bad-config", "%s: \"%s\": name the socket", source,
		          path);
	else
		return real;
	free(real);
	return NULL;
}

int sockets_resolve(struct policy *policy, struct error *err)
{
	struct permissions *permissions = &policy->permissions;
	struct from from;
	const json_t *list = list_of(policy, &from);
	size_t count = json_array_size(list);

	if (count == 0)
		return 0;
	permissions->unix_sockets =
	        xrealloc_array(NULL, count + 1, sizeof(*permissions->unix_sockets));
	permissions->unix_sockets[0] = NULL;
	for (size_t i = 0; i < count; i++) {
		char *path =
		        canonical(json_string_value(json_array_get(list, i)), from.source, err);

		if (!path)
			return -1;
		permissions->unix_sockets[i] = path;
		permissions->unix_sockets[i + 1] = NULL;
	}
	return 0;
}
