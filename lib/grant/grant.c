#include "grant/grant.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "git/repository.h"
#include "grant/presets.h"
#include "policy/patch.h"
#include "policy/permissions.h"
#include "policy/protected_names.h"
#include "policy/slash_tmp.h"
#include "policy/words.h"
#include "trust/own_places.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Directory entries looked at for one grant. */
#define ENTRIES_MAX 200000

static int check_paths(const json_t *paths, const char *what, struct error *err)
{
	cleanup_vector char **list = NULL;

	if (!paths)
		return 0;
	list = os_vector_get(paths, what, err);
	if (!list)
		return -1;
	for (char **path = list; *path; path++)
		if (!path_is_normal(*path))
			return error_set(err, EXIT_INPUT, "bad-grant",
			                 "%s: \"%s\": not a normalized absolute path", what, *path);
	return 0;
}

int grant_check(const json_t *grant, struct error *err)
{
	static const char *const known[] = {"write",        "read",    "network",
	                                    "unix_sockets", "sandbox", "none"};
	const json_t *none = json_object_get(grant, "none");
	const json_t *sandbox = json_object_get(grant, "sandbox");
	const json_t *network = json_object_get(grant, "network");
	size_t found = 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		found += json_object_get(grant, known[i]) != NULL;
	if (!json_is_object(grant) || found == 0 || found != json_object_size(grant))
		return error_set(err, EXIT_INPUT, "bad-grant",
		                 "grant: expected write, read, network, unix_sockets or sandbox");
	if (sandbox && (found != 1U + (none != NULL) || !json_is_string(sandbox) ||
	                strcmp(json_string_value(sandbox), "none") != 0))
		return error_set(err, EXIT_INPUT, "bad-grant",
		                 "grant.sandbox: expected \"none\" and nothing beside it but none");
	if (none && (!sandbox || !json_is_array(none)))
		return error_set(err, EXIT_INPUT, "bad-grant",
		                 "grant.none: expected a list, beside sandbox");
	if (network && network_parse(json_string_value(network)) < 0)
		return error_set(err, EXIT_INPUT, "bad-grant",
		                 "grant.network: expected off, loopback or on");
	if (check_paths(json_object_get(grant, "write"), "grant.write", err) < 0 ||
	    check_paths(json_object_get(grant, "read"), "grant.read", err) < 0)
		return -1;
	return check_paths(json_object_get(grant, "unix_sockets"), "grant.unix_sockets", err);
}

/* Sets exactly this path: permissions_add() would let a stricter entry stand. */
static void set_exactly(struct permissions *permissions, const char *path, enum access access)
{
	permissions_add(permissions, path, access);
	for (size_t i = 0; i < permissions->count; i++)
		if (strcmp(permissions->entries[i].path, path) == 0)
			permissions->entries[i].access = access;
}

static void protect(struct permissions *permissions, const char *root)
{
	for (const char *const *name = protected_names; *name; name++) {
		cleanup_free char *path = path_join(root, *name);

		if (!permissions_find(permissions, path))
			permissions_add(permissions, path, ACCESS_READ);
	}
}

/* Nothing in it can be found, by us or by the command; our own it could open for itself. */
static bool has_nothing_below(const char *path, int why)
{
	struct stat st;

	if (why == EACCES)
		return lstat(path, &st) == 0 && st.st_uid != geteuid();
	return why == ENOENT || why == ENOTDIR || why == ELOOP;
}

/*
 * Repositories deeper down: hooks and configuration in them run later, outside
 * of any sandbox.  A directory that is too large or too deep to be looked
 * through cannot be granted as a whole.
 */
static int protect_nested(struct permissions *permissions, const char *root, size_t *left,
                          struct error *err)
{
	DIR *dir = opendir(root);
	const struct dirent *entry;
	int status = 0, why = errno;

	if (!dir && !has_nothing_below(root, why))
		return error_set(err, EXIT_INPUT, "bad-grant",
		                 "grant: looking for repositories below it: %s; "
		                 "grant a smaller directory",
		                 strerror(why));
	while (dir && status == 0 && (errno = 0, entry = readdir(dir)) != NULL) {
		cleanup_free char *path = NULL;
		struct stat st;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if ((*left)-- == 0) {
			status = error_set(err, EXIT_INPUT, "bad-grant",
			                   "grant: too much below it to look for repositories; "
			                   "grant a smaller directory");
			break;
		}
		path = path_join(root, entry->d_name);
		if (strcasecmp(entry->d_name, ".git") == 0) { /* on some file systems it is one */
			if (!permissions_find(permissions, path))
				permissions_add(permissions, path, ACCESS_READ);
		} else if (entry->d_type == DT_DIR ||
		           (entry->d_type == DT_UNKNOWN && lstat(path, &st) == 0 &&
		            S_ISDIR(st.st_mode))) {
			if (!is_git_directory(AT_FDCWD, path))
				status = protect_nested(permissions, path, left, err);
			else if (!permissions_find(permissions, path))
				permissions_add(permissions, path, ACCESS_READ);
		}
	}
	if (status == 0 && dir && errno != 0)
		status = error_system(err, "grant: looking for repositories below it");
	if (dir)
		closedir(dir);
	return status;
}

/* The path, unless it leads elsewhere by now: somebody swapped it after the question. */
static int check_place(const char *path, struct error *err)
{
	cleanup_free char *real = path_canonical(path, err);

	if (!real)
		return -1;
	if (strcmp(real, path) != 0)
		return error_set(
		        err, EXIT_INPUT, "bad-grant",
		        "grant: \"%s\" now resolves to \"%s\": it changed after the approval", path,
		        real);
	return 0;
}

/* What decides about the next run stays read-only in a directory that is given around it. */
static int keep_own(struct permissions *permissions, const char *tmp, struct error *err)
{
	for (unsigned i = 0; i < OWN_PLACES; i++) {
		cleanup_free char *place = own_place(i);

		if (!place && i == 0)
			return error_set(err, EXIT_SYSTEM, "system",
			                 "grant: the directory of the program is not known");
		if (place && permissions_resolve(permissions, place, NULL) == ACCESS_WRITE &&
		    !(tmp && tmp_decides(permissions, tmp, place)))
			permissions_add(permissions, place, ACCESS_READ);
	}
	return 0;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * A repository's own directory: what --allow git opens.  Hooks and configuration
 * in it run later on the host; who wants those names them.
 */
static void protect_in_git(struct permissions *permissions, const char *path)
{
	const char *base = strrchr(path, '/') + 1;
	enum access access;
	const char *name;

	if (strcasecmp(base, ".git") != 0 && !is_git_directory(AT_FDCWD, path))
		return;
	for (size_t i = 0; (name = preset_in_git(i, &access)) != NULL; i++) {
		cleanup_free char *whole = path_join(path, name);
		struct stat st;

		if (!permissions_find(permissions, whole) &&
		    (access == ACCESS_READ || lstat(whole, &st) == 0))
			permissions_add(permissions, whole, access);
	}
}

/* tmp: the path of a private /tmp, in which a grant shows what the host has; or NULL. */
static int give(struct permissions *permissions, const json_t *paths, enum access access,
                const char *tmp, struct error *err)
{
	cleanup_vector char **list = paths ? os_vector_get(paths, "grant", err) : NULL;
	size_t left = ENTRIES_MAX;

	if (paths && !list)
		return -1;
	for (char **path = list; path && *path; path++) {
		if (check_place(*path, err) < 0)
			return -1;
		if (access == ACCESS_WRITE && strcmp(*path, "/") == 0)
			return error_set(err, EXIT_INPUT, "bad-grant",
			                 "grant: \"/\": the whole file system; that is a run "
			                 "without the sandbox");
		if ((access == ACCESS_WRITE && inside_own_place(*path)) || inside_tmp_place(*path))
			return error_set(
			        err, EXIT_INPUT, "bad-grant",
			        "grant: \"%s\" belongs to sbx itself and cannot be granted", *path);
		/* More than what is asked for is there already. */
		if (access == ACCESS_READ &&
		    permissions_resolve(permissions, *path, NULL) == ACCESS_WRITE &&
		    !(tmp && tmp_decides(permissions, tmp, *path)))
			continue;
		set_exactly(permissions, *path, access);
		if (access != ACCESS_WRITE || !is_directory(*path))
			continue;
		protect_in_git(permissions, *path);
		if (inside_protected_name(*path))
			continue;
		protect(permissions, *path);
		if (protect_nested(permissions, *path, &left, err) < 0)
			return -1;
	}
	return 0;
}

static int give_sockets(struct permissions *permissions, const json_t *paths, struct error *err)
{
	cleanup_vector char **list = paths ? os_vector_get(paths, "grant", err) : NULL;

	if (paths && !list)
		return -1;
	for (char **path = list; path && *path; path++) {
		char **there = permissions->unix_sockets;
		size_t count = 0;

		if (check_place(*path, err) < 0)
			return -1;
		while (there && there[count] && strcmp(there[count], *path) != 0)
			count++;
		if (there && there[count])
			continue;
		there = xrealloc_array(there, count + 2, sizeof(*there));
		there[count] = xstrdup(*path);
		there[count + 1] = NULL;
		permissions->unix_sockets = there;
	}
	return 0;
}

/* The member derived from permissions, for what was given only. */
static void add_roots(json_t *policy, const json_t *paths)
{
	json_t *roots = json_object_get(policy, "writable_roots");
	size_t i;
	json_t *path;

	json_array_foreach (paths, i, path) {
		json_t *none = xjson(json_array());

		if (json_is_array(roots))
			json_array_append_new(roots, xjson(json_pack("{s:O,s:O}", "root", path,
			                                             "read_only_subpaths", none)));
		for (const char *const *name = protected_names; json_is_string(path) && *name;
		     name++) {
			cleanup_free char *whole = path_join(json_string_value(path), *name);

			if (is_directory(json_string_value(path)))
				json_array_append_new(none, os_string(whole));
		}
		json_decref(none);
	}
}

/* All that the policy says of other platforms and patterns stays. */
static json_t *widened(const json_t *policy, const struct permissions *permissions,
                       const json_t *write, char *const *files)
{
	json_t *wider = xjson(json_deep_copy(policy));
	json_t *now = permissions_json(permissions);

	json_object_update(json_object_get(wider, "permissions"), now);
	json_decref(now);
	/* Of a patch, no root of the policy is left. */
	if (files && json_object_get(wider, "writable_roots"))
		json_object_set_new(wider, "writable_roots", xjson(json_array()));
	add_roots(wider, write);
	return wider;
}

/* A patch without a grant. */
static json_t *narrowed(const json_t *policy, char *const *files, const char *tmp,
                        struct error *err)
{
	struct permissions permissions;
	json_t *out;

	if (permissions_get(json_object_get(policy, "permissions"), &permissions, err) < 0)
		return NULL;
	patch_narrow(&permissions, files, tmp);
	out = widened(policy, &permissions, NULL, files);
	permissions_free(&permissions);
	return out;
}

json_t *grant_policy(const json_t *doc, struct error *err)
{
	json_t *policy = json_object_get(doc, "policy");
	const json_t *grant = json_object_get(json_object_get(doc, "approval"), "grant");
	const json_t *write = json_object_get(grant, "write");
	json_t *wider = NULL;
	cleanup_free char *tmp = tmp_is_private(policy) ? slash_tmp() : NULL;
	struct permissions permissions;
	cleanup_vector char **files = patch_files(doc, err);
	int network, status;

	if (!files && err->exit)
		return NULL;
	if (!grant || json_is_null(grant) || json_object_get(grant, "sandbox"))
		return files ? narrowed(policy, files, tmp, err) : json_incref(policy);
	if (grant_check(grant, err) < 0 ||
	    permissions_get(json_object_get(policy, "permissions"), &permissions, err) < 0)
		return NULL;
	if (files)
		patch_narrow(&permissions, files, tmp);
	status = give(&permissions, write, ACCESS_WRITE, tmp, err);
	if (status == 0)
		status = give(&permissions, json_object_get(grant, "read"), ACCESS_READ, tmp, err);
	if (status == 0)
		status = give_sockets(&permissions, json_object_get(grant, "unix_sockets"), err);
	if (status == 0 && json_array_size(write) > 0)
		status = keep_own(&permissions, tmp, err);
	network = network_parse(json_string_value(json_object_get(grant, "network")));
	if (network > (int)permissions.network)
		permissions.network = (enum network)network;
	if (status == 0)
		wider = widened(policy, &permissions, write, files);
	permissions_free(&permissions);
	return wider;
}
