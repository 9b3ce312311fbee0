#include "advise/suggest.h"

#include "advise/limit_option.h"
#include "advise/other_home.h"
#include "advise/shell_quote.h"
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_list.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "git/repository.h"
#include "grant/denial.h"
#include "grant/presets.h"
#include "policy/protected_names.h"
#include "policy/words.h"
#include "trust/settings_home.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The document has no word for it but the source of its root. */
static char *find_workspace(const json_t *doc)
{
	const json_t *policy = json_object_get(doc, "policy");
	const json_t *roots = json_object_get(json_object_get(policy, "sources"), "writable_roots");
	struct error none = {0};
	cleanup_free char *cwd = NULL;
	size_t i;
	json_t *root;

	json_array_foreach (roots, i, root) {
		const char *source = json_string_value(json_object_get(root, "source"));

		if (source && strcmp(source, "workspace") == 0)
			return os_string_get(json_object_get(root, "root"), "root", &none);
	}
	cwd = os_string_get(json_object_get(json_object_get(doc, "command"), "cwd"), "cwd", &none);
	return cwd ? path_canonical(cwd, &none) : NULL;
}

static bool names_submodules(const json_t *argv)
{
	size_t i;
	json_t *word;

	json_array_foreach (argv, i, word)
		if (json_is_string(word) && strstr(json_string_value(word), "submodule"))
			return true;
	return false;
}

void suggest_begin(struct suggest *s, const json_t *doc)
{
	struct error none = {0};

	*s = (struct suggest){.policy = json_object_get(doc, "policy"),
	                      .workspace = find_workspace(doc)};
	s->submodules = names_submodules(json_object_get(json_object_get(doc, "command"), "argv"));
	s->spelt_home = home_is_spelt(json_object_get(json_object_get(doc, "command"), "argv"));
	s->presets.sources =
	        json_object_get(json_object_get(s->policy, "sources"), "writable_roots");
	/* A policy that cannot be read gives nothing. */
	if (permissions_get(json_object_get(s->policy, "permissions"), &s->given, &none) < 0)
		s->given = (struct permissions){0};
	/* What was not found is suggested too much, and denied again. */
	homes_find(&s->homes, NULL);
}

void suggest_free(struct suggest *s)
{
	opened_free(&s->presets);
	homes_free(&s->homes);
	permissions_free(&s->given);
	free(s->workspace);
	*s = (struct suggest){0};
}

static const char *set_name(const struct suggest *s)
{
	return json_string_value(json_object_get(s->policy, "permission_set"));
}

static bool is_read_only(const struct suggest *s)
{
	return policy_mode(s->policy) == MODE_READ_ONLY && !set_name(s);
}

/* No entry of ours can open it: at the same path, "none" wins over "write". */
static bool is_shut(const struct suggest *s, const char *path)
{
	const json_t *fs = json_object_get(json_object_get(s->policy, "permissions"), "fs");
	size_t i;
	json_t *entry;

	json_array_foreach (fs, i, entry) {
		const char *own = json_string_value(json_object_get(entry, "path"));
		const char *access = json_string_value(json_object_get(entry, "access"));

		if (own && strcmp(own, path) == 0 && access && strcmp(access, "none") == 0)
			return true;
	}
	return false;
}

/* A root keeps the protected names in it; one that lies in such a name was meant. */
static bool root_opens(const struct suggest *s, const char *root, const char *path)
{
	for (char **place = s->homes.places.items; place && *place; place++)
		if (path_contains(*place, path) && !path_contains(*place, root))
			return false;
	return path_contains(root, path) &&
	       (inside_protected_name(root) || !inside_protected_name(path + strlen(root)));
}

/* What stands for a missing name while the command runs is gone when it has ended. */
static bool is_stub(const char *path, const struct stat *st)
{
	return S_ISDIR(st->st_mode) && (st->st_mode & 07777) == STUB_MODE &&
	       inside_protected_name(path);
}

/* A part of a repository without a checkout is of no use: all of it, or the path itself. */
static char *whole_repository(const char *path)
{
	cleanup_free char *at = xstrdup(path);

	while (!inside_protected_name(path) && inside_git_directory(at) &&
	       !is_git_directory(AT_FDCWD, at)) {
		char *up = path_parent(at);

		free(at);
		at = up;
	}
	return keep_ptr(at);
}

/* The directory itself, or the one that holds the file; NULL when there is none. */
static char *directory_of(const char *given)
{
	struct stat st;

	if (lstat(given, &st) < 0 || is_stub(given, &st))
		return NULL;
	return S_ISDIR(st.st_mode) ? whole_repository(given) : path_parent(given);
}

/* The directory that --add-dir can name for it, or NULL. */
static char *root_for(const struct suggest *s, const char *given, const char *denied)
{
	cleanup_free char *root = directory_of(given);

	if (!root || strcmp(root, "/") == 0 || around_home(root) || is_shut(s, root) ||
	    inside_own_place(root) || permissions_resolve(&s->given, root, NULL) == ACCESS_WRITE)
		return NULL;
	if (!root_opens(s, root, given) ||
	    (denied && path_contains(given, denied) && !root_opens(s, root, denied)))
		return NULL;
	return keep_ptr(root);
}

/* workspace-write itself opens it. */
static bool mode_opens(const struct suggest *s, const char *path)
{
	return (s->workspace && root_opens(s, s->workspace, path)) || root_opens(s, "/tmp", path);
}

static char *joined(const json_t *words, const char *between)
{
	char *out = NULL;

	for (size_t i = 0; i < json_array_size(words); i++) {
		cleanup_free char *before = out;

		out = xasprintf("%s%s%s", before ? before : "", before ? between : "",
		                json_string_value(json_array_get(words, i)));
	}
	return out;
}

/* "git submodule" writes settings as well, after what it was stopped at. */
static const char *preset_for(struct suggest *s, const char *path)
{
	const char *preset = opened_by(&s->presets, s->workspace, path);

	return preset && s->submodules && strcmp(preset, "git") == 0 ? "git:config" : preset;
}

static void ignore_path(void *context, const struct preset_path *path)
{
	(void)context, (void)path;
}

/* "device:NAME", or NULL where that is not given to a sandbox. */
static char *device_preset(const char *path)
{
	struct error none = {0};
	cleanup_free char *name =
	        path_contains("/dev", path) && path[4] ? xasprintf("device:%s", path + 5) : NULL;

	return name && preset_expand(name, &(struct preset_place){0}, ignore_path, NULL, &none) == 0
	               ? keep_ptr(name)
	               : NULL;
}

/* False when no option opens it.  new: a directory to be made and opened, or NULL. */
static bool write_option(struct suggest *s, const char *given, const char *denied, const char *new,
                         char **option)
{
	/* With one thing to open, what was denied itself says more than where. */
	const char *preset = preset_for(s, denied ? denied : given);
	cleanup_free char *root = NULL;
	cleanup_free char *word = NULL;
	cleanup_free char *device = NULL;

	if (is_read_only(s) && mode_opens(s, denied ? denied : given)) {
		*option = xstrdup("-s workspace-write");
		return true;
	}
	device = preset ? NULL : device_preset(given);
	if (preset || device) {
		*option = xasprintf("--allow %s", preset ? preset : device);
	} else {
		root = new ? xstrdup(new) : root_for(s, given, denied);
		if (!root)
			return false;
		word = quote_shell(root);
		*option = xasprintf("--add-dir %s", word);
	}
	if (is_read_only(s)) {
		cleanup_free char *alone = *option;

		*option = xasprintf("-s workspace-write %s", alone);
	}
	return true;
}

/* -c permissions.NAME.filesystem."PATH"="read": a set is where reading is denied. */
static bool read_option(const struct suggest *s, const char *given, char **option)
{
	const char *set = set_name(s);
	cleanup_free char *name = set ? quote_key(set) : NULL;
	cleanup_free char *path = quote_toml(given);
	cleanup_free char *key = NULL, *word = NULL;

	if (!name || !path || is_shut(s, given))
		return false;
	key = xasprintf("permissions.%s.filesystem.%s=\"read\"", name, path);
	word = text_quote(key);
	*option = xasprintf("-c %s", word);
	return true;
}

/* The whole list: it replaces the one that is there. */
static bool socket_option(const struct suggest *s, json_t *given, char **option)
{
	const char *set = set_name(s);
	cleanup_free char *name = set ? quote_key(set) : NULL;
	cleanup_json json_t *all = xjson(json_array());
	cleanup_json json_t *quoted = xjson(json_array());
	cleanup_free char *list = NULL, *key = NULL, *word = NULL;

	if ((set && !name) || is_read_only(s))
		return false;
	json_array_extend(
	        all, json_object_get(json_object_get(s->policy, "permissions"), "unix_sockets"));
	json_array_extend(all, given);
	for (size_t i = 0; i < json_array_size(all); i++) {
		struct error none = {0};
		cleanup_free char *path = os_string_get(json_array_get(all, i), "socket", &none);
		cleanup_free char *text = path ? quote_toml(path) : NULL;

		if (!text)
			return false;
		json_list_add_text(quoted, text);
	}
	list = joined(quoted, ",");
	key = name ? xasprintf("permissions.%s.unix_sockets=[%s]", name, list)
	           : xasprintf("sandbox_workspace_write.unix_sockets=[%s]", list);
	word = text_quote(key);
	*option = xasprintf("-c %s", word);
	return true;
}

static bool path_options(struct suggest *s, const json_t *denial, const json_t *paths, bool write,
                         json_t *options)
{
	struct error none = {0};
	cleanup_free char *denied = denial_path(denial, paths);
	size_t i;
	json_t *path;

	json_array_foreach (paths, i, path) {
		cleanup_free char *given = os_string_get(path, "grant", &none);
		cleanup_free char *option = NULL;

		if (!given || !(write ? write_option(s, given, denied, NULL, &option)
		                      : read_option(s, given, &option)))
			return false;
		json_list_add_text(options, option);
	}
	return true;
}

static void host_options(const json_t *hosts, json_t *options)
{
	size_t i;
	json_t *host;

	json_array_foreach (hosts, i, host) {
		cleanup_free char *word = text_quote(json_string_value(host));
		cleanup_free char *option = xasprintf("--allow-host %s", word);

		json_list_add_text(options, option);
	}
}

/* Calls that an option of their own allows, and what says that it is in force. */
static char *call_option(const struct suggest *s, const json_t *denial)
{
	static const char *const tracing[] = {"ptrace", "process_vm_readv", "process_vm_writev",
	                                      "kcmp"};
	const char *op = json_string_value(json_object_get(denial, "op"));
	const char *call = json_string_value(json_object_get(denial, "syscall"));
	const json_t *own = json_object_get(s->policy, "sbx");

	for (size_t i = 0;
	     op && call && strcmp(op, "call") == 0 && i < sizeof(tracing) / sizeof(tracing[0]); i++)
		if (strcmp(call, tracing[i]) == 0 && !json_is_true(json_object_get(own, "debug")))
			return xstrdup("--allow debug");
	return NULL;
}

char *suggest_options(struct suggest *s, const json_t *denial, const json_t *grant)
{
	const char *network = json_string_value(json_object_get(grant, "network"));
	json_t *sockets = json_object_get(grant, "unix_sockets");
	cleanup_json json_t *options = xjson(json_array());
	cleanup_free char *new = denial_new_directory(denial);
	char *opened = NULL;

	if (is_limit(denial))
		return limit_option(s->policy, denial);
	if (new)
		return !denial_wants_empty(denial) && write_option(s, new, NULL, new, &opened)
		               ? opened
		               : NULL;
	if (!grant && !s->spelt_home)
		opened = other_home(s->policy, denial);
	if (!grant)
		return opened ? opened : call_option(s, denial);
	if (!path_options(s, denial, json_object_get(grant, "write"), true, options) ||
	    !path_options(s, denial, json_object_get(grant, "read"), false, options))
		return NULL;
	if (network) {
		cleanup_free char *option = xasprintf("--network %s", network);

		json_list_add_text(options, option);
	}
	host_options(json_object_get(grant, "hosts"), options);
	if (json_array_size(sockets) > 0) {
		cleanup_free char *option = NULL;

		if (!socket_option(s, sockets, &option))
			return NULL;
		json_list_add_text(options, option);
	}
	return joined(options, " ");
}
