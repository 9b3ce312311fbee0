#include "network/unix_sockets.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "policy/words.h"

#include <string.h>

static const json_t *list_of(const struct policy *policy, struct from *from)
{
	const struct settings *settings = policy->settings;

	if (settings->set.name)
		return config_get(&policy->set, from, "unix_sockets");
	if (settings->mode.value != MODE_WORKSPACE_WRITE || settings->mode.built_in)
		return NULL;
	return config_get(settings->config, from, "sandbox_workspace_write", "unix_sockets");
}

static char *with_home(const char *path, const char *source, struct error *err)
{
	const char *home = getenv("HOME");

	if (path[0] != '~')
		return xstrdup(path);
	if (home && home[0] == '/')
		return path_join(home, path + 2);
	error_set(err, EXIT_INPUT, "bad-config", "%s: \"%s\": HOME is not set", source, path);
	return NULL;
}

/* The file itself, by the name that nothing inside can turn elsewhere. */
static char *canonical(const char *path, const char *source, struct error *err)
{
	cleanup_free char *whole = with_home(path, source, err);
	struct error why = {0};
	char *real;

	if (!whole)
		return NULL;
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

/* By codex's table of the set, by whatever name: that beats every list. */
static bool is_denied(const struct policy *policy, const char *real)
{
	json_t *network = json_object_get(policy->set.values, "network");
	const char *path;
	json_t *word;

	if (!policy->settings->set.name)
		return false;
	json_object_foreach (json_object_get(network, "unix_sockets"), path, word) {
		struct error ignored = {0};
		cleanup_free char *denied = strcmp(json_string_value(word), "allow") == 0
		                                    ? NULL
		                                    : canonical(path, "", &ignored);

		if (denied && strcmp(denied, real) == 0)
			return true;
	}
	return false;
}

int sockets_resolve(struct policy *policy, struct error *err)
{
	struct permissions *permissions = &policy->permissions;
	struct from from = {.source = "default"};
	const json_t *list = list_of(policy, &from);
	size_t count = json_array_size(list), kept = 0;

	policy->sockets_source = from.source;
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
		if (is_denied(policy, path)) {
			free(path);
			continue;
		}
		permissions->unix_sockets[kept++] = path;
		permissions->unix_sockets[kept] = NULL;
	}
	return 0;
}

static bool is_turned_inside(const struct policy *policy, const char *path)
{
	struct trail trail;
	struct error why = {0};
	bool result = trail_follow(&trail, "/", path, &why) < 0;

	for (size_t i = 0; i < trail.count; i++)
		if (permissions_resolve(&policy->permissions, trail.links[i], NULL) == ACCESS_WRITE)
			result = true;
	trail_free(&trail);
	return result;
}

int sockets_check(const struct policy *policy, struct error *err)
{
	struct from from;
	const json_t *list = list_of(policy, &from);

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *path = json_string_value(json_array_get(list, i));
		cleanup_free char *whole = with_home(path, from.source, err);

		if (!whole)
			return -1;
		if (is_turned_inside(policy, whole))
			return error_set(
			        err, EXIT_INPUT, "bad-config",
			        "%s: \"%s\": is reached through a link that the command can "
			        "change; name the socket itself",
			        from.source, path);
	}
	return 0;
}
