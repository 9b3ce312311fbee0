#include "advise/missing_entries.h"

#include "advise/limit_option.h"
#include "advise/shell_quote.h"
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_list.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "grant/denial.h"
#include "policy/permissions.h"
#include "policy/protected_names.h"
#include "trust/sensitive_places.h"
#include "trust/settings_home.h"

#include <stdlib.h>
#include <string.h>

/* More than so many things in one directory are the directory. */
#define SIBLINGS_MAX 4

void lesson_begin(struct lesson *l, struct suggest *suggest)
{
	*l = (struct lesson){.suggest = suggest,
	                     .write = xjson(json_array()),
	                     .read = xjson(json_array()),
	                     .presets = xjson(json_array()),
	                     .sockets = xjson(json_array()),
	                     .hosts = xjson(json_array()),
	                     .limits = xjson(json_object()),
	                     .unsaid = xjson(json_array()),
	                     .doubtful = xjson(json_array())};
}

void lesson_free(struct lesson *l)
{
	json_decref(l->write);
	json_decref(l->read);
	json_decref(l->presets);
	json_decref(l->sockets);
	json_decref(l->hosts);
	json_decref(l->limits);
	json_decref(l->network);
	json_decref(l->unsaid);
	json_decref(l->doubtful);
	*l = (struct lesson){0};
}

static void doubt(struct lesson *l, const char *list, const char *path, const char *why)
{
	size_t i;
	json_t *there;

	json_array_foreach (l->doubtful, i, there)
		if (strcmp(json_string_value(json_object_get(there, "path")), path) == 0)
			return;
	json_array_append_new(l->doubtful, xjson(json_pack("{s:s,s:s,s:s}", "list", list, "path",
	                                                   path, "why", why)));
}

static void unsaid(struct lesson *l, const char *what, const json_t *denial)
{
	const char *op = json_string_value(json_object_get(denial, "op"));
	const char *call = json_string_value(json_object_get(denial, "syscall"));
	const char *address = json_string_value(json_object_get(denial, "address"));
	struct error none = {0};
	const json_t *value = json_object_get(denial, "path");
	cleanup_free char *path = value ? os_string_get(value, "path", &none) : NULL;
	cleanup_free char *line = xasprintf("%s: %s %s", what, op ? op : "?",
	                                    path      ? path
	                                    : address ? address
	                                    : call    ? call
	                                              : "");
	/* Cleaned before it is a string of JSON, which has to be UTF-8. */
	cleanup_free char *clean = text_clean(line);

	json_list_add_text(l->unsaid, clean);
}

static void take_write(struct lesson *l, const char *path, const char *denied)
{
	const char *preset =
	        opened_by(&l->suggest->presets, l->suggest->workspace, denied ? denied : path);
	const char *why = sensitive_path(path);

	if (!why && denied && path_contains(path, denied))
		why = sensitive_path(denied);
	if (preset)
		json_list_add_text(l->presets, preset);
	else if (why)
		doubt(l, "write", path, why);
	else
		json_list_add_text(l->write, path);
}

static void take_paths(struct lesson *l, const json_t *denial, const json_t *grant,
                       const char *list)
{
	const json_t *paths = json_object_get(grant, list);
	cleanup_free char *denied = denial_path(denial, paths);
	size_t i;
	json_t *item;

	json_array_foreach (paths, i, item) {
		const char *path = json_string_value(item);
		const char *why = path ? sensitive_path(path) : NULL;

		if (!path)
			unsaid(l, "not UTF-8, so no TOML can name it", denial);
		else if (strcmp(list, "write") == 0)
			take_write(l, path, denied);
		else if (strcmp(list, "unix_sockets") == 0)
			sensitive_socket(path) ? doubt(l, list, path, sensitive_socket(path))
			                       : json_list_add_text(l->sockets, path);
		else if (why)
			doubt(l, list, path, why);
		else
			json_list_add_text(l->read, path);
	}
}

static void take_network(struct lesson *l, json_t *network)
{
	if (network && network_parse(json_string_value(network)) >
	                       network_parse(json_string_value(l->network))) {
		json_decref(l->network);
		l->network = json_incref(network);
	}
}

static void take_hosts(struct lesson *l, const json_t *hosts)
{
	size_t i;
	json_t *host;

	json_array_foreach (hosts, i, host)
		json_list_add_text(l->hosts, json_string_value(host));
}

/* A directory that nobody would give away whole because of a few files in it. */
static bool too_wide(const struct lesson *l, const char *directory)
{
	const char *home = getenv("HOME");
	const char *workspace = l->suggest->workspace;
	cleanup_free char *below = sensitive_below(directory, 0);

	if (path_depth(directory) < 2 || below || sensitive_path(directory) ||
	    (home && path_contains(directory, home)) ||
	    (workspace && path_contains(directory, workspace)))
		return true;
	for (unsigned i = 0; i < OWN_PLACES; i++) {
		cleanup_free char *place = own_place(i);

		if (place && path_contains(directory, place))
			return true;
	}
	return false;
}

/* From each directory to how many of the list lie right in it. */
static json_t *parents(const json_t *list)
{
	json_t *out = xjson(json_object());
	size_t i;
	json_t *there;

	json_array_foreach (list, i, there) {
		cleanup_free char *parent = path_parent(json_string_value(there));
		json_int_t count = json_integer_value(json_object_get(out, parent));

		json_object_set_new(out, parent, json_integer(count + 1));
	}
	return out;
}

/* What lies in another of the list, with no protected name on the way, is said already. */
static void drop_contained(json_t *list)
{
	for (size_t i = json_array_size(list); i-- > 0;) {
		const char *path = json_string_value(json_array_get(list, i));

		for (size_t k = 0; k < json_array_size(list); k++) {
			const char *other = json_string_value(json_array_get(list, k));

			if (k == i || !path_contains(other, path) ||
			    inside_protected_name(path + strlen(other)))
				continue;
			json_array_remove(list, i);
			break;
		}
	}
}

/* Many things in one directory become the directory; from the deepest up. */
static void gather(const struct lesson *l, json_t *list)
{
	size_t added = 1;

	drop_contained(list);
	while (added > 0) {
		cleanup_json json_t *directories = parents(list);
		const char *directory;
		json_t *count;

		added = 0;
		json_object_foreach (directories, directory, count) {
			if (json_integer_value(count) <= SIBLINGS_MAX || too_wide(l, directory))
				continue;
			json_list_add_text(list, directory);
			added++;
		}
		drop_contained(list);
	}
}

/* A set opens what is there. */
static void take_new(struct lesson *l, const char *directory)
{
	cleanup_free char *quoted = quote_shell(directory);
	cleanup_free char *line = xasprintf("make it before: mkdir -p %s", quoted);

	take_write(l, directory, NULL);
	json_list_add_text(l->unsaid, line);
}

/* "--limit NAME=VALUE" is what a set says, too. */
static bool take_limit(struct lesson *l, const json_t *denial)
{
	static const char option[] = "--limit ";
	const char *with = json_string_value(json_object_get(denial, "allow_with"));
	const char *value = with ? strchr(with, '=') : NULL;

	if (!is_limit(denial) || !value || strncmp(with, option, sizeof(option) - 1) != 0)
		return false;
	with += sizeof(option) - 1;
	cleanup_free char *name = xstrndup(with, (size_t)(value - with));

	json_object_set_new(l->limits, name, xjson(json_string(value + 1)));
	return true;
}

void lesson_take(struct lesson *l, const json_t *denials)
{
	static const char *const lists[] = {"write", "read", "unix_sockets"};
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial) {
		cleanup_grant struct grant given = GRANT_NOTHING;
		cleanup_json json_t *grant =
		        denial_grant(denial, &given) ? grant_json(&given) : NULL;

		cleanup_free char *new = denial_new_directory(denial);

		if (new) {
			take_new(l, new);
			continue;
		}
		if (take_limit(l, denial))
			continue;
		if (!grant)
			unsaid(l, "no permission set allows this", denial);
		for (size_t m = 0; m < sizeof(lists) / sizeof(lists[0]); m++)
			take_paths(l, denial, grant, lists[m]);
		take_network(l, json_object_get(grant, "network"));
		take_hosts(l, json_object_get(grant, "hosts"));
	}
	gather(l, l->write);
	gather(l, l->read);
}
