#include "grant/denial.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "policy/protected_names.h"
#include "trust/settings_home.h"

#include <string.h>
#include <sys/stat.h>

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

/*
 * The whole file system, or what decides about the next run: effective.c refuses
 * it.  A home directory is never the least: it is given to a person who names it.
 */
static bool too_much(const struct grant *grant)
{
	for (char **path = grant->paths[GRANT_WRITE]; path && *path; path++)
		if (strcmp(*path, "/") == 0 || around_home(*path) || inside_own_place(*path))
			return true;
	return grant->outside;
}

bool denial_grant(const json_t *denial, struct grant *grant)
{
	json_t *given = json_object_get(denial, "grant");
	const char *address = json_string_value(json_object_get(denial, "address"));
	cleanup_json json_t *json = NULL;
	struct error ignored = {0};

	/* An observer that says no change of a policy helps has the last word. */
	if (given || json_is_null(json_object_get(denial, "allow_with")))
		json = json_incref(given);
	else if (json_object_get(denial, "path"))
		json = from_path(denial);
	else if (address)
		json = from_address(address);
	if (grant_get(json, grant, &ignored) < 0)
		return false;
	if (!too_much(grant))
		return true;
	grant_free(grant);
	return false;
}

char *denial_path(const json_t *denial, const json_t *grant_paths)
{
	struct error none = {0};
	const json_t *value = json_object_get(denial, "path");
	cleanup_free char *path = value ? os_string_get(value, "path", &none) : NULL;

	return json_array_size(grant_paths) == 1 && path && path_is_normal(path) ? keep_ptr(path)
	                                                                         : NULL;
}

/* Where every tool has a directory of its own: beside it are those of others. */
static bool is_shared(const char *directory)
{
	static const char *const shared[] = {"",           "/.config",      "/.cache",
	                                     "/.local",    "/.local/share", "/.local/state",
	                                     "/.local/lib"};
	cleanup_free char *named = home_named();
	cleanup_free char *registered = home_registered();

	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
		cleanup_free char *here = named ? xasprintf("%s%s", named, shared[i]) : NULL;
		cleanup_free char *there =
		        registered ? xasprintf("%s%s", registered, shared[i]) : NULL;

		if ((here && strcmp(here, directory) == 0) ||
		    (there && strcmp(there, directory) == 0))
			return true;
	}
	return false;
}

#define CACHE(program, variable, place, kept) {place, kept},

/* The programs of a tool, which its cache does not cover: they are installed for the host. */
static bool is_for_programs(const char *path)
{
	static const struct {
		const char *place, *kept;
	} caches[] = {
#include "../../share/caches"
	};
	cleanup_free char *home = home_named();
	const char *below = home && path_contains(home, path) ? path + strlen(home) : "";

	for (size_t i = 0; *below && i < sizeof(caches) / sizeof(caches[0]); i++) {
		size_t length = strlen(caches[i].place);

		if (caches[i].kept && strncmp(below + 1, caches[i].place, length) == 0 &&
		    below[1 + length] == '/' && strcmp(below + 2 + length, caches[i].kept) == 0)
			return true;
	}
	return false;
}

char *denial_new_directory(const json_t *denial)
{
	const char *op = json_string_value(json_object_get(denial, "op"));
	const char *call = json_string_value(json_object_get(denial, "syscall"));
	const json_t *value = json_object_get(denial, "path");
	struct error none = {0};
	cleanup_free char *path = value ? os_string_get(value, "path", &none) : NULL;
	cleanup_free char *parent = path && path[0] == '/' ? path_parent(path) : NULL;
	struct stat st;

	if (!parent || !op || strcmp(op, "create") != 0 || !call || strncmp(call, "mkdir", 5) != 0)
		return NULL;
	return path_is_normal(path) && lstat(path, &st) < 0 &&
	                       (is_shared(parent) || is_for_programs(path)) &&
	                       !inside_protected_name(path) && !inside_own_place(path)
	               ? keep_ptr(path)
	               : NULL;
}

bool denial_wants_empty(const json_t *denial)
{
	const char *program = json_string_value(json_object_get(denial, "program"));
	const char *slash = program ? strrchr(program, '/') : NULL;
	cleanup_free char *new = denial_new_directory(denial);

	return new &&program &&strcmp(slash ? slash + 1 : program, "git") == 0;
}
