#include "grant/effective.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "git/repository.h"
#include "grant/grant.h"
#include "grant/presets.h"
#include "patches/patch.h"
#include "policy/permissions.h"
#include "policy/protected_names.h"
#include "policy/slash_tmp.h"
#include "trust/settings_home.h"

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

/* Places that no grant opens. */
static int check_write(const char *path, struct error *err)
{
	if (strcmp(path, "/") == 0)
		return error_set(err, EXIT_INPUT, "bad-grant",
		                 "grant: \"/\": the whole file system; that is a run "
		                 "without the sandbox");
	if (!inside_own_place(path))
		return 0;
	return error_set(err, EXIT_INPUT, "bad-grant",
	                 "grant: \"%s\" belongs to sbx itself and cannot be granted", path);
}

int effective_check_grant(const struct grant *grant, struct error *err)
{
	for (int list = 0; list < GRANT_PATHS; list++)
		for (char **path = grant->paths[list]; path && *path; path++) {
			if (check_place(*path, err) < 0 ||
			    (list == GRANT_WRITE && check_write(*path, err) < 0))
				return -1;
			if (list != GRANT_SOCKETS && inside_tmp_place(*path))
				return error_set(err, EXIT_INPUT, "bad-grant",
				                 "grant: \"%s\" belongs to sbx itself and cannot "
				                 "be granted",
				                 *path);
		}
	return 0;
}

/* A directory that is opened keeps what must stay closed in it. */
static int protect_in(struct permissions *permissions, const char *path, size_t *left,
                      struct error *err)
{
	if (!is_directory(path))
		return 0;
	protect_in_git(permissions, path);
	if (inside_protected_name(path))
		return 0;
	protect(permissions, path);
	return protect_nested(permissions, path, left, err);
}

static int give_write(struct permissions *permissions, char *const *paths, struct error *err)
{
	size_t left = ENTRIES_MAX;

	for (; paths && *paths; paths++) {
		set_exactly(permissions, *paths, ACCESS_WRITE);
		if (protect_in(permissions, *paths, &left, err) < 0)
			return -1;
	}
	return 0;
}

/* tmp: the path of a private /tmp, in which a grant shows what the host has; or NULL. */
static void give_read(struct permissions *permissions, char *const *paths, const char *tmp)
{
	for (; paths && *paths; paths++)
		/* Or more than what is asked for is there already. */
		if (permissions_resolve(permissions, *paths, NULL) != ACCESS_WRITE ||
		    (tmp && tmp_decides(permissions, tmp, *paths)))
			set_exactly(permissions, *paths, ACCESS_READ);
}

static void give_sockets(struct permissions *permissions, const struct grant *grant)
{
	struct grant all = {.paths[GRANT_SOCKETS] = permissions->unix_sockets};
	const struct grant more = {.paths[GRANT_SOCKETS] = grant->paths[GRANT_SOCKETS]};

	grant_add(&all, &more);
	permissions->unix_sockets = all.paths[GRANT_SOCKETS];
}

/* What an administrator says of hosts, and no yes goes past; NULL where nothing is said. */
struct host_bounds {
	const json_t *allowed, *denied;
};

static struct host_bounds bounds_of(const json_t *policy)
{
	return (struct host_bounds){
	        json_object_get(policy, "allowed_hosts"),
	        json_object_get(json_object_get(policy, "requirements"), "denied_hosts")};
}

/* Of one host that is given. */
static int check_bounds(const struct hosts *allowed, const struct hosts *denied,
                        const struct host_rule *rule, struct error *err)
{
	cleanup_free char *text = host_rule_text(rule);
	bool never = !rule->deny && hosts_cover(denied, rule);

	if (!never && (!allowed || hosts_cover(allowed, rule)))
		return 0;
	return error_set(err, EXIT_INPUT, "bad-grant",
	                 "grant: \"%s\": the managed configuration %s this host", text,
	                 never ? "denies" : "does not allow");
}

static int give_hosts(struct permissions *permissions, char *const *hosts,
                      const struct host_bounds *bounds, struct error *err)
{
	struct hosts allowed = {0}, denied = {0}, given = {0};
	int status = 0;

	if (bounds->allowed)
		status = hosts_get(bounds->allowed, "policy.allowed_hosts", &allowed, err);
	if (status == 0 && bounds->denied)
		status =
		        hosts_get(bounds->denied, "policy.requirements.denied_hosts", &denied, err);
	for (; status == 0 && hosts && *hosts; hosts++)
		status = hosts_add(&given, *hosts, err);
	for (size_t i = 0; status == 0 && i < given.count; i++) {
		cleanup_free char *text = host_rule_text(&given.rules[i]);

		status = check_bounds(bounds->allowed ? &allowed : NULL, &denied, &given.rules[i],
		                      err);
		if (status == 0)
			status = hosts_add(&permissions->hosts, text, err);
	}
	if (given.count > 0 && permissions->network < NETWORK_HOSTS)
		permissions->network = NETWORK_HOSTS;
	hosts_free(&allowed);
	hosts_free(&denied);
	hosts_free(&given);
	return status;
}

/* A pattern may be given that a denied host fits. */
static int keep_denied(struct permissions *permissions, const json_t *denied, struct error *err)
{
	int status = 0;

	if (permissions->network != NETWORK_HOSTS)
		return 0;
	for (size_t i = 0; status == 0 && i < json_array_size(denied); i++) {
		const char *host = json_string_value(json_array_get(denied, i));
		cleanup_free char *text = xasprintf("!%s", host ? host : "");

		status = hosts_add(&permissions->hosts, text, err);
	}
	return status;
}

static int give_network(struct permissions *permissions, const struct grant *grant,
                        const struct host_bounds *bounds, struct error *err)
{
	if (grant->network == NETWORK_ON && (bounds->allowed || bounds->denied))
		return error_set(err, EXIT_INPUT, "bad-grant",
		                 "grant: network on: the managed configuration allows some hosts "
		                 "only");
	if (grant->network > (int)permissions->network)
		permissions->network = (enum network)grant->network;
	if (give_hosts(permissions, grant->paths[GRANT_HOSTS], bounds, err) < 0)
		return -1;
	return keep_denied(permissions, bounds->denied, err);
}

static int give(struct permissions *permissions, const struct grant *grant, const char *tmp,
                const struct host_bounds *bounds, struct error *err)
{
	char *const *write = grant->paths[GRANT_WRITE];

	if (effective_check_grant(grant, err) < 0 || give_write(permissions, write, err) < 0)
		return -1;
	give_read(permissions, grant->paths[GRANT_READ], tmp);
	give_sockets(permissions, grant);
	if (give_network(permissions, grant, bounds, err) < 0)
		return -1;
	return write && *write ? keep_own(permissions, tmp, err) : 0;
}

/* What rules say of hosts; what the administrator does not allow they cannot. */
static int add_ruled(struct permissions *permissions, const json_t *ruled, const json_t *allowed,
                     struct error *err)
{
	struct hosts limit = {0}, hosts = {0};
	int status = hosts_get(ruled, "approval.hosts", &hosts, err);

	if (status == 0 && allowed)
		status = hosts_get(allowed, "policy.allowed_hosts", &limit, err);
	for (size_t i = 0; status == 0 && i < hosts.count; i++) {
		cleanup_free char *text = host_rule_text(&hosts.rules[i]);

		if (!allowed || hosts_cover(&limit, &hosts.rules[i]))
			status = hosts_add(&permissions->hosts, text, err);
	}
	hosts_free(&limit);
	hosts_free(&hosts);
	return status;
}

/* What approval.permissions is to be; *out is NULL when the policy's own are enforced. */
static int work_out(const json_t *doc, const struct grant *grant, json_t **out, struct error *err)
{
	const json_t *policy = json_object_get(doc, "policy");
	cleanup_vector char **files = patch_files(doc, err);
	cleanup_free char *tmp = tmp_is_private(policy) ? slash_tmp() : NULL;
	bool given = !grant_is_nothing(grant) && !grant->outside;
	const json_t *ruled = json_object_get(json_object_get(doc, "approval"), "hosts");
	bool ours = patch_program(json_object_get(doc, "command")) != NULL;
	const struct host_bounds bounds = bounds_of(policy);
	char *const nothing[] = {NULL};
	struct permissions permissions;
	int status;

	*out = NULL;
	if (!files && err->exit)
		return -1;
	if (!files && !given && !ruled)
		return 0;
	if (permissions_get(json_object_get(policy, "permissions"), &permissions, err) < 0)
		return -1;
	/* Our own patch tool writes nothing in the sandbox: that is done beside it (sbx-run). */
	if (files)
		patch_narrow(&permissions, ours ? nothing : files, tmp);
	status = given ? give(&permissions, grant, tmp, &bounds, err) : 0;
	if (status == 0 && ruled && permissions.network == NETWORK_HOSTS)
		status = add_ruled(&permissions, ruled, bounds.allowed, err);
	if (status == 0)
		*out = permissions_json(&permissions);
	permissions_free(&permissions);
	return status;
}

int effective_write(json_t *doc, struct error *err)
{
	cleanup_grant struct grant grant = GRANT_NOTHING;
	json_t *permissions;

	if (grant_get_of(doc, &grant, err) < 0 || work_out(doc, &grant, &permissions, err) < 0)
		return -1;
	if (permissions)
		json_object_set_new(json_object_get(doc, "approval"), "permissions", permissions);
	return 0;
}

int effective_check(const json_t *doc, struct error *err)
{
	cleanup_grant struct grant grant = GRANT_NOTHING;

	return grant_get_of(doc, &grant, err) < 0 ? -1 : effective_check_grant(&grant, err);
}

/* The member derived from permissions, for what was given only. */
static void add_root(json_t *roots, const char *path)
{
	json_t *kept = xjson(json_array());

	for (const char *const *name = protected_names; is_directory(path) && *name; name++) {
		cleanup_free char *whole = path_join(path, *name);

		json_array_append_new(kept, os_string(whole));
	}
	json_array_append_new(roots, xjson(json_pack("{s:o,s:o}", "root", os_string(path),
	                                             "read_only_subpaths", kept)));
}

/* All that the policy says of other platforms and patterns stays. */
static json_t *with(const json_t *policy, json_t *permissions, const struct grant *grant,
                    bool patch)
{
	json_t *wider = xjson(json_deep_copy(policy));
	json_t *roots = json_object_get(wider, "writable_roots");

	json_object_update(json_object_get(wider, "permissions"), permissions);
	/* Who gives a loopback means one. */
	if (grant->network >= 0)
		json_object_del(wider, "loopback");
	/* Of a patch, no root of the policy is left. */
	if (patch)
		json_array_clear(roots);
	for (char **path = grant->paths[GRANT_WRITE]; roots && path && *path; path++)
		add_root(roots, *path);
	return wider;
}

json_t *effective_policy(const json_t *doc, struct error *err)
{
	json_t *policy = json_object_get(doc, "policy");
	json_t *written = json_object_get(json_object_get(doc, "approval"), "permissions");
	const json_t *tool = json_object_get(json_object_get(doc, "command"), "tool");
	bool patch = json_is_string(tool) && strcmp(json_string_value(tool), "patch") == 0;
	cleanup_json json_t *permissions = json_incref(written);
	cleanup_grant struct grant grant = GRANT_NOTHING;

	if (grant_get_of(doc, &grant, err) < 0)
		return NULL;
	if (!permissions && work_out(doc, &grant, &permissions, err) < 0)
		return NULL;
	return permissions ? with(policy, permissions, &grant, patch) : json_incref(policy);
}
