#include "report/host_tmp.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "policy/permissions.h"
#include "policy/slash_tmp.h"

#include <string.h>
#include <sys/stat.h>

static bool ran_with_private(const json_t *doc)
{
	const json_t *sandbox = json_object_get(doc, "sandbox");
	const char *backend = json_string_value(json_object_get(sandbox, "backend"));

	/* Landlock alone shows the host's. */
	return backend && strcmp(backend, "bubblewrap") == 0 &&
	       tmp_is_private(json_object_get(doc, "policy"));
}

/* As it is written: whoever wrote "/tmp/../etc/x" meant nothing in /tmp. */
static bool is_the_hosts(const struct permissions *permissions, const char *tmp, const char *path)
{
	struct stat st;

	return path[0] == '/' && !strstr(path, "/..") && tmp_decides(permissions, tmp, path) &&
	       strcmp(path, tmp) != 0 && lstat(path, &st) == 0;
}

static char *first_of(const json_t *argv, const struct permissions *permissions)
{
	cleanup_free char *tmp = slash_tmp();
	struct error none = {0};
	size_t i;
	json_t *value;

	json_array_foreach (argv, i, value) {
		cleanup_free char *path = os_string_get(value, "argv", &none);

		if (tmp && path && is_the_hosts(permissions, tmp, path))
			return keep_ptr(path);
	}
	return NULL;
}

char *host_tmp_argument(const json_t *doc)
{
	const json_t *policy = json_object_get(doc, "policy");
	struct permissions permissions = {0};
	struct error none = {0};
	char *found;

	if (!ran_with_private(doc) ||
	    permissions_get(json_object_get(policy, "permissions"), &permissions, &none) < 0)
		return NULL;
	found = first_of(json_object_get(json_object_get(doc, "command"), "argv"), &permissions);
	permissions_free(&permissions);
	return found;
}
