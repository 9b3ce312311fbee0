#include "policy/permissions.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "policy/words.h"

#include <string.h>

const char *const access_names[] = {"read", "write", "none", NULL};

int access_parse(const char *word)
{
	return word_index(access_names, word);
}

int network_parse(const char *word)
{
	return word_index(network_names, word);
}

bool permissions_reopen(const struct permissions *permissions, size_t i)
{
	const char *path = permissions->entries[i].path;

	while (++i < permissions->count && path_contains(path, permissions->entries[i].path))
		if (permissions->entries[i].access != ACCESS_NONE)
			return true;
	return false;
}

bool permissions_show(const struct permissions *permissions, const char *path)
{
	if (permissions_resolve(permissions, path, NULL) != ACCESS_NONE)
		return true;
	for (size_t i = 0; i < permissions->count; i++)
		if (permissions->entries[i].access != ACCESS_NONE &&
		    path_contains(path, permissions->entries[i].path))
			return true;
	return false;
}

bool is_network_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                              "0123456789._-";
	size_t len = strspn(name, letters);

	return len > 0 && len <= 64 && !name[len] && name[0] != '-';
}

bool network_is_named(const struct permissions *permissions)
{
	return permissions->network_name && permissions->network_name[0] != ':';
}

/* The first entry that does not sort before path. */
static size_t position(const struct permissions *permissions, const char *path)
{
	return path_position(permissions->entries, permissions->count, sizeof(struct entry), path);
}

const struct entry *permissions_find(const struct permissions *permissions, const char *path)
{
	size_t at = position(permissions, path);

	if (at < permissions->count && strcmp(permissions->entries[at].path, path) == 0)
		return &permissions->entries[at];
	return NULL;
}

void permissions_add(struct permissions *permissions, const char *path, enum access access)
{
	size_t at = position(permissions, path);
	struct entry *entries;

	if (at < permissions->count && strcmp(permissions->entries[at].path, path) == 0) {
		if (access > permissions->entries[at].access)
			permissions->entries[at].access = access;
		return;
	}
	entries = xrealloc_array(permissions->entries, permissions->count + 1, sizeof(*entries));
	memmove(entries + at + 1, entries + at, (permissions->count - at) * sizeof(*entries));
	entries[at] = (struct entry){.path = xstrdup(path), .access = access};
	permissions->entries = entries;
	permissions->count++;
}

void permissions_remove(struct permissions *permissions, const char *path)
{
	size_t at = position(permissions, path);
	struct entry *entry = &permissions->entries[at];

	if (at == permissions->count || strcmp(entry->path, path) != 0)
		return;
	free(entry->path);
	permissions->count--;
	memmove(entry, entry + 1, (permissions->count - at) * sizeof(*entry));
}

void permissions_force(struct permissions *permissions, const char *path, enum access access)
{
	permissions_add(permissions, path, access);
	for (size_t i = position(permissions, path);
	     i < permissions->count && path_contains(path, permissions->entries[i].path); i++)
		permissions->entries[i].access = access;
}

enum access permissions_resolve(const struct permissions *permissions, const char *path,
                                const struct entry **which)
{
	cleanup_free char *at = xstrdup(path);

	for (;;) {
		const struct entry *found = permissions_find(permissions, at);
		char *slash;

		if (found) {
			if (which)
				*which = found;
			return found->access;
		}
		if (at[1] == '\0')
			break;
		slash = strrchr(at, '/');
		if (!slash)
			break;
		slash[slash == at] = '\0';
	}
	if (which)
		*which = NULL;
	return ACCESS_NONE;
}

bool permissions_writes(const struct permissions *permissions)
{
	for (size_t i = 0; i < permissions->count; i++)
		if (permissions->entries[i].access == ACCESS_WRITE)
			return true;
	return false;
}

const struct entry *permissions_below(const struct permissions *permissions, const char *path)
{
	size_t at = position(permissions, path);

	if (at < permissions->count && strcmp(permissions->entries[at].path, path) == 0)
		at++;
	return at < permissions->count && path_contains(path, permissions->entries[at].path)
	               ? &permissions->entries[at]
	               : NULL;
}

static int add_entry(struct permissions *permissions, const json_t *json, size_t i,
                     struct error *err)
{
	cleanup_free char *what = xasprintf("permissions.fs[%zu].path", i);
	cleanup_free char *path = os_string_get(json_object_get(json, "path"), what, err);
	int access = access_parse(json_string_value(json_object_get(json, "access")));

	if (!path)
		return -1;
	if (!path_is_normal(path))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "%s: \"%s\": not a normalized absolute path", what, path);
	if (access < 0)
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "permissions.fs[%zu].access: expected read, write or none", i);
	permissions_add(permissions, path, (enum access)access);
	return 0;
}

/* Only a loopback has one; an approval may have made it more. */
static int name_network(const json_t *name, struct permissions *permissions, struct error *err)
{
	const char *text = json_string_value(name);

	if (!name || json_is_null(name))
		return 0;
	if (!text || !is_network_name(text + (text[0] == ':')))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "permissions.network_name: expected a name");
	if (permissions->network == NETWORK_LOOPBACK)
		permissions->network_name = xstrdup(text);
	return 0;
}

/* What a policy says apart from paths. */
static int begin(const json_t *json, struct permissions *permissions, struct error *err)
{
	int network = network_parse(json_string_value(json_object_get(json, "network")));

	memset(permissions, 0, sizeof(*permissions));
	if (!json_is_object(json) || !json_is_array(json_object_get(json, "fs")))
		return error_set(err, EXIT_INPUT, "bad-policy", "permissions.fs: expected a list");
	/* Absent, null or misspelt: no network.  Only a known word opens it. */
	if (network < 0 && json_object_get(json, "network") &&
	    !json_is_null(json_object_get(json, "network")))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "permissions.network: expected off, loopback, hosts or on");
	permissions->network = network < 0 ? NETWORK_OFF : (enum network)network;
	return name_network(json_object_get(json, "network_name"), permissions, err);
}

static int add_hosts(const json_t *hosts, struct permissions *permissions, struct error *err)
{
	if (!hosts || json_is_null(hosts))
		return 0;
	return hosts_get(hosts, "permissions.hosts", &permissions->hosts, err);
}

int permissions_get_for(const char *platform, const json_t *json, struct permissions *permissions,
                        struct error *err)
{
	return strcmp(platform, "windows") == 0 ? begin(json, permissions, err)
	                                        : permissions_get(json, permissions, err);
}

int permissions_get(const json_t *json, struct permissions *permissions, struct error *err)
{
	const json_t *fs = json_object_get(json, "fs");
	const json_t *sockets = json_object_get(json, "unix_sockets");

	if (begin(json, permissions, err) < 0)
		return -1;
	for (size_t i = 0; i < json_array_size(fs); i++) {
		if (add_entry(permissions, json_array_get(fs, i), i, err) < 0) {
			permissions_free(permissions);
			return -1;
		}
	}
	if (add_hosts(json_object_get(json, "hosts"), permissions, err) < 0) {
		permissions_free(permissions);
		return -1;
	}
	if (sockets && !json_is_null(sockets)) {
		permissions->unix_sockets = os_vector_get(sockets, "permissions.unix_sockets", err);
		if (!permissions->unix_sockets) {
			permissions_free(permissions);
			return -1;
		}
	}
	return 0;
}

json_t *permissions_json(const struct permissions *permissions)
{
	json_t *fs = xjson(json_array());
	json_t *sockets = permissions->unix_sockets ? os_vector(permissions->unix_sockets)
	                                            : xjson(json_array());
	json_t *json;

	for (size_t i = 0; i < permissions->count; i++)
		json_array_append_new(
		        fs, xjson(json_pack("{s:o,s:s}", "path",
		                            os_string(permissions->entries[i].path), "access",
		                            access_names[permissions->entries[i].access])));
	json = xjson(json_pack("{s:o,s:s,s:o}", "fs", fs, "network",
	                       network_names[permissions->network], "unix_sockets", sockets));
	if (permissions->network == NETWORK_LOOPBACK && permissions->network_name)
		json_object_set_new(json, "network_name",
		                    xjson(json_string(permissions->network_name)));
	if (permissions->network == NETWORK_HOSTS || permissions->hosts.count > 0)
		json_object_set_new(json, "hosts", hosts_json(&permissions->hosts));
	return json;
}

void permissions_free(struct permissions *permissions)
{
	for (size_t i = 0; i < permissions->count; i++)
		free(permissions->entries[i].path);
	free(permissions->entries);
	free(permissions->network_name);
	hosts_free(&permissions->hosts);
	os_vector_free(permissions->unix_sockets);
	memset(permissions, 0, sizeof(*permissions));
}
