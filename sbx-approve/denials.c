#include "denials.h"

#include "cleanup.h"
#include "grant.h"
#include "memory.h"
#include "osstring.h"
#include "path.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static void add_once(json_t *grant, const char *member, json_t *path)
{
	json_t *list = json_object_get(grant, member);
	size_t i;
	json_t *there;

	if (!list)
		json_object_set_new(grant, member, list = xjson(json_array()));
	json_array_foreach (list, i, there)
		if (json_equal(there, path))
			return;
	json_array_append(list, path);
}

static void widen_network(json_t *grant, const char *network)
{
	const char *now = json_string_value(json_object_get(grant, "network"));

	if (!now || strcmp(now, "on") != 0)
		json_object_set_new(grant, "network", json_string(network));
}

/* What the observer itself says is enough. */
static bool take_given(json_t *grant, const json_t *given)
{
	struct error ignored;
	static const char *const members[] = {"write", "read"};
	const char *network = json_string_value(json_object_get(given, "network"));

	if (!json_is_object(given) || grant_check(given, &ignored) < 0 ||
	    json_object_get(given, "sandbox"))
		return false;
	for (size_t m = 0; m < 2; m++) {
		size_t i;
		json_t *path;

		json_array_foreach (json_object_get(given, members[m]), i, path)
			add_once(grant, members[m], path);
	}
	if (network)
		widen_network(grant, network);
	return true;
}

/* A file that is there, or the directory in which it was to be made. */
static void take_path(json_t *grant, const json_t *denial)
{
	const char *op = json_string_value(json_object_get(denial, "op"));
	struct error ignored;
	cleanup_free char *path = os_string_get(json_object_get(denial, "path"), "path", &ignored);
	cleanup_free char *real = NULL, *place = NULL;
	cleanup_json json_t *value = NULL;
	struct stat st;

	if (!path || path[0] != '/')
		return;
	real = path_canonical(path, &ignored);
	if (!real)
		return;
	place = op && strcmp(op, "read") == 0 ? xstrdup(real)
	        : lstat(real, &st) == 0       ? xstrdup(real)
	                                      : path_parent(real);
	value = os_string(place);
	add_once(grant, op && strcmp(op, "read") == 0 ? "read" : "write", value);
}

static void take_address(json_t *grant, const char *address)
{
	bool loopback = strncmp(address, "127.", 4) == 0 || strncmp(address, "[::1]", 5) == 0 ||
	                strncmp(address, "::1", 3) == 0 || strncmp(address, "localhost", 9) == 0;

	widen_network(grant, loopback ? "loopback" : "on");
}

json_t *denials_grant(const json_t *denials)
{
	cleanup_json json_t *grant = xjson(json_object());
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial) {
		const char *address = json_string_value(json_object_get(denial, "address"));

		if (take_given(grant, json_object_get(denial, "allow_with")))
			continue;
		if (json_object_get(denial, "path"))
			take_path(grant, denial);
		else if (address)
			take_address(grant, address);
	}
	return json_object_size(grant) ? json_incref(grant) : NULL;
}
