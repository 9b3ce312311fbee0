#include "grant/denial.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "grant/grant.h"
#include "policy/permissions.h"
#include "trust/own_places.h"

#include <string.h>
#include <sys/stat.h>

static const char *const lists[] = {"write", "read", "unix_sockets"};

static bool listed(const json_t *list, const json_t *value)
{
	size_t i;
	json_t *there;

	json_array_foreach (list, i, there)
		if (json_equal(there, value))
			return true;
	return false;
}

void grant_add(json_t *grant, const json_t *more)
{
	json_t *network = json_object_get(more, "network");
	const json_t *now = json_object_get(grant, "network");

	for (size_t m = 0; m < sizeof(lists) / sizeof(lists[0]); m++) {
		size_t i;
		json_t *value;

		json_array_foreach (json_object_get(more, lists[m]), i, value) {
			json_t *list = json_object_get(grant, lists[m]);

			if (!list)
				json_object_set_new(grant, lists[m], list = xjson(json_array()));
			if (!listed(list, value))
				json_array_append(list, value);
		}
	}
	if (network &&
	    network_parse(json_string_value(network)) > network_parse(json_string_value(now)))
		json_object_set(grant, "network", network);
}

bool grant_includes(const json_t *grant, const json_t *wanted)
{
	const char *sandbox = json_string_value(json_object_get(grant, "sandbox"));

	if (sandbox && strcmp(sandbox, "none") == 0)
		return true;
	for (size_t m = 0; m < sizeof(lists) / sizeof(lists[0]); m++) {
		size_t i;
		json_t *value;

		json_array_foreach (json_object_get(wanted, lists[m]), i, value)
			if (!listed(json_object_get(grant, lists[m]), value))
				return false;
	}
	return network_parse(json_string_value(json_object_get(grant, "network"))) >=
	       network_parse(json_string_value(json_object_get(wanted, "network")));
}

/* A file that is there, or the directory in which it was to be made. */
static json_t *from_path(const json_t *denial)
{
	const char *op = json_string_value(json_object_get(denial, "op"));
	bool read = op && strcmp(op, "read") == 0;
	struct error ignored = {0};
	cleanup_free char *path = os_string_get(json_object_get(denial, "path"), "path", &ignored);
	cleanup_free char *real = NULL, *place = NULL;
	struct stat st;

	/* A system call is not a place, whatever it was about. */
	if (!path || path[0] != '/' || (op && strcmp(op, "call") == 0))
		return NULL;
	real = path_canonical(path, &ignored);
	if (!real)
		return NULL;
	place = read || lstat(real, &st) == 0 ? xstrdup(real) : path_parent(real);
	return xjson(json_pack("{s:[o]}", read ? "read" : "write", os_string(place)));
}

static json_t *from_address(const char *address)
{
	bool loopback = strncmp(address, "127.", 4) == 0 || strncmp(address, "[::1]", 5) == 0 ||
	                strncmp(address, "::1", 3) == 0 || strncmp(address, "localhost", 9) == 0;

	return xjson(json_pack("{s:s}", "network", loopback ? "loopback" : "on"));
}

/* The whole file system, or what decides about the next run: lib/grant/grant.c refuses it. */
static bool too_much(const json_t *grant)
{
	struct error ignored = {0};
	size_t i;
	json_t *value;

	json_array_foreach (json_object_get(grant, "write"), i, value) {
		cleanup_free char *path = os_string_get(value, "grant", &ignored);

		if (!path || strcmp(path, "/") == 0 || inside_own_place(path))
			return true;
	}
	return json_object_get(grant, "sandbox") != NULL;
}

json_t *denial_grant(const json_t *denial)
{
	json_t *given = json_object_get(denial, "grant");
	const char *address = json_string_value(json_object_get(denial, "address"));
	cleanup_json json_t *grant = NULL;
	struct error ignored = {0};

	/* An observer that says no change of a policy helps has the last word. */
	if (given || json_is_null(json_object_get(denial, "allow_with")))
		grant = json_incref(given);
	else if (json_object_get(denial, "path"))
		grant = from_path(denial);
	else if (address)
		grant = from_address(address);
	if (!json_is_object(grant) || grant_check(grant, &ignored) < 0 || too_much(grant))
		return NULL;
	return json_incref(grant);
}

char *denial_path(const json_t *denial, const json_t *grant_paths)
{
	struct error none = {0};
	const json_t *value = json_object_get(denial, "path");
	cleanup_free char *path = value ? os_string_get(value, "path", &none) : NULL;

	return json_array_size(grant_paths) == 1 && path && path_is_normal(path) ? keep_ptr(path)
	                                                                         : NULL;
}
