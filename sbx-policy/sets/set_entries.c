#include "sets/set_entries.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/globs.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "resolve/granted_roots.h"
#include "resolve/temporary_directories.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One line of [permissions.NAME.filesystem] on its way to entries. */
struct line {
	struct workbench *bench;
	const char *source;
	enum access access;
	size_t depth; /* glob_scan_max_depth */
	struct error *err;
};

static int wrong(const struct line *line, const char *key, const char *why)
{
	return error_set(line->err, EXIT_INPUT, "bad-config", "%s: \"%s\": %s", line->source, key,
	                 why);
}

/*
 * What is missing is kept missing from its first missing directory on: a
 * command that could make that one could make the rest.
 */
static void pin_missing(const struct line *line, const char *target)
{
	cleanup_free char *path = xstrdup(target);

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		struct stat st;

		*slash = '\0';
		if (lstat(path, &st) < 0) {
			if (errno == ENOENT)
				bench_pin(line->bench, path, line->source);
			return;
		}
		*slash = '/';
	}
}

/* The path as entries: where it leads, and every link on the way that could be turned. */
static void add_path(struct line *line, const char *path)
{
	struct error why = {0};
	struct trail trail;

	if (trail_follow(&trail, "/", path, &why) < 0) {
		/* What cannot be resolved is denied by name, and never granted. */
		if (line->access == ACCESS_NONE)
			policy_add(line->bench->policy, path, ACCESS_NONE, line->source, true);
		else
			notes_add(line->bench->notes, "%s: %s; ignored", line->source, why.message);
	} else {
		for (size_t i = 0; i < trail.count; i++)
			bench_pin(line->bench, trail.links[i], line->source);
		if (line->access == ACCESS_WRITE && trail.stopped) {
			bench_missing(line->bench, trail.target, line->source);
		} else {
			if (trail.stopped)
				pin_missing(line, trail.target);
			policy_add(line->bench->policy, trail.target, line->access, line->source,
			           true);
		}
	}
	trail_free(&trail);
}

static void add_match(void *context, const char *path)
{
	add_path(context, path);
}

static int add_glob(struct line *line, const char *pattern)
{
	cleanup_free char *prefix = xstrdup(pattern);
	cleanup_free char *canonical = NULL;
	cleanup_free char *real = NULL;
	struct error why = {0};
	char *wild = strpbrk(prefix, "*?[");

	while (*wild != '/')
		wild--;
	*wild = '\0';
	canonical = path_canonical(prefix[0] ? prefix : "/", &why);
	json_array_append_new(line->bench->policy->deny_globs, xjson(json_string(pattern)));
	if (!canonical)
		return 0;
	real = xasprintf("%s%s", canonical[1] ? canonical : "", pattern + (wild - prefix));
	if (strcmp(real, pattern) != 0)
		json_array_append_new(line->bench->policy->deny_globs, xjson(json_string(real)));
	return glob_expand(real, line->depth, add_match, line, line->err);
}

static bool has_dots(const char *path)
{
	while (*path) {
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (path[0] == '.' && (len == 1 || (len == 2 && path[1] == '.')))
			return true;
		path += len;
	}
	return false;
}

/* `path` is absolute and may be a pattern. */
static int add(struct line *line, const char *key, const char *path)
{
	size_t len = strlen(path);
	cleanup_free char *normal = NULL;

	/* Behind a link or a wildcard, ".." is anywhere. */
	if (has_dots(path))
		return wrong(line, key, "expected a path without \".\" and \"..\"");
	if (!is_glob(path)) {
		normal = path_normal(path);
		add_path(line, normal);
		return 0;
	}
	if (line->access == ACCESS_NONE) {
		normal = path_normal(path);
		return add_glob(line, normal);
	}
	/* A directory and two stars behind it: the directory and all that is in it. */
	if (len > 3 && strcmp(path + len - 3, "/**") == 0) {
		cleanup_free char *directory = xstrndup(path, len - 3);

		if (!is_glob(directory)) {
			normal = path_normal(directory);
			add_path(line, normal);
			return 0;
		}
	}
	return wrong(line, key, "a pattern can only be denied (or be a directory and \"/**\")");
}

static int add_temporary(struct line *line, bool slash_tmp)
{
	if (line->access == ACCESS_WRITE) {
		if (slash_tmp)
			grant_slash_tmp(line->bench, line->source);
		else
			line->bench->tmpdir = line->source;
		return 0;
	}
	if (slash_tmp)
		add_path(line, "/tmp");
	else if (getenv("TMPDIR") && getenv("TMPDIR")[0] == '/')
		add_path(line, getenv("TMPDIR"));
	return 0;
}

static int add_minimal(struct line *line)
{
	if (line->access != ACCESS_READ)
		return wrong(line, ":minimal", "can only be \"read\"");
	line->bench->policy->minimal = true;
	for (size_t i = 0; platform_defaults[i].path; i++) {
		cleanup_free char *real = realpath(platform_defaults[i].path, NULL);

		/* /usr comes first, and holds what /bin leads to on a merged system. */
		if (real && permissions_resolve(&line->bench->policy->permissions, real, NULL) ==
		                    ACCESS_NONE)
			policy_add(line->bench->policy, real, ACCESS_READ, line->source, false);
	}
	return 0;
}

static bool is_below(const char *subpath)
{
	cleanup_free char *rooted = xasprintf("/%s", subpath);

	return subpath[0] != '/' && path_is_normal(rooted);
}

/* "" is the base itself. */
static int add_from_workspace(struct line *line, const char *key, const char *subpath)
{
	const struct root_list *roots = &line->bench->workspaces;

	for (size_t i = 0; i < roots->count; i++) {
		cleanup_free char *path = subpath[0] ? xasprintf("%s/%s", roots->paths[i], subpath)
		                                     : xstrdup(roots->paths[i]);

		/* The workspace is not a person's choice of a path inside `.git`. */
		if (!subpath[0] && line->access == ACCESS_WRITE && i == 0) {
			if (grant_workspace(line->bench, line->err) < 0)
				return -1;
			continue;
		}
		if (add(line, key, path) < 0)
			return -1;
	}
	return 0;
}

static int add_key(struct line *line, const char *key, const char *subpath)
{
	const char *home = getenv("HOME");
	cleanup_free char *path = NULL;

	if (strcmp(key, ":workspace_roots") == 0 || strcmp(key, ":project_roots") == 0)
		return add_from_workspace(line, key, subpath);
	if (key[0] == ':' && subpath[0])
		return wrong(line, key, "only :workspace_roots has paths below it");
	if (strcmp(key, ":root") == 0) {
		policy_add(line->bench->policy, "/", line->access, line->source, false);
		return 0;
	}
	if (strcmp(key, ":minimal") == 0)
		return add_minimal(line);
	if (strcmp(key, ":slash_tmp") == 0 || strcmp(key, ":tmpdir") == 0)
		return add_temporary(line, key[1] == 's');
	if (key[0] == ':' && line->access != ACCESS_NONE) {
		notes_add(line->bench->notes, "%s: \"%s\": unknown name, ignored", line->source,
		          key);
		return 0;
	}
	if (key[0] == '~' && (key[1] == '\0' || key[1] == '/')) {
		if (!home || home[0] != '/')
			return wrong(line, key, "HOME is not set");
		path = xasprintf("%s%s%s%s", home, key + 1, subpath[0] ? "/" : "", subpath);
	} else if (key[0] == '/') {
		path = xasprintf("%s%s%s", key, subpath[0] ? "/" : "", subpath);
	} else {
		return wrong(line, key,
		             "expected an absolute path, ~/..., :root, :minimal, "
		             ":workspace_roots, :tmpdir or :slash_tmp");
	}
	return add(line, key, path);
}

static int parse_access(struct line *line, const char *key, const json_t *value)
{
	const char *word = json_string_value(value);
	int access = word && strcmp(word, "deny") == 0 ? ACCESS_NONE : access_parse(word);

	if (access < 0)
		return wrong(line, key, "expected read, write or deny");
	line->access = (enum access)access;
	return 0;
}

static int apply_table(struct line *line, const char *key, json_t *table, const json_t *origins)
{
	const char *subpath;
	json_t *value;

	json_object_foreach (table, subpath, value) {
		line->source = config_from(json_object_get(origins, subpath)).source;
		if (strcmp(subpath, ".") != 0 && !is_below(subpath))
			return wrong(line, subpath, "expected a path below, without \"..\"");
		if (parse_access(line, subpath, value) < 0 ||
		    add_key(line, key, strcmp(subpath, ".") == 0 ? "" : subpath) < 0)
			return -1;
	}
	return 0;
}

static int workspaces(struct workbench *bench, struct error *err)
{
	json_t *roots = json_object_get(bench->policy->set.values, "workspace_roots");
	const char *path;
	json_t *used;

	json_object_foreach (roots, path, used) {
		struct from from;
		struct error why = {0};
		const char *home = getenv("HOME");
		cleanup_free char *own = path[0] == '~' && path[1] == '/' && home
		                                 ? path_join(home, path + 2)
		                                 : xstrdup(path);
		cleanup_free char *real = path_canonical(own, &why);

		config_get(&bench->policy->set, &from, "workspace_roots", path);
		if (!real)
			return error_set(err, EXIT_INPUT, "bad-config", "%s: %s", from.source,
			                 why.message);
		if (json_is_true(used)) {
			bench_pin_links(bench, own, from.source);
			root_list_add(&bench->workspaces, real);
		}
	}
	return 0;
}

int set_apply(struct workbench *bench, struct error *err)
{
	json_t *files = json_object_get(bench->policy->set.values, "filesystem");
	const json_t *origins = json_object_get(bench->policy->set.origins, "filesystem");
	const json_t *depth = json_object_get(files, "glob_scan_max_depth");
	struct line line = {.bench = bench, .err = err};
	const char *key;
	json_t *value;

	if (workspaces(bench, err) < 0)
		return -1;
	line.source = config_from(json_object_get(origins, "glob_scan_max_depth")).source;
	if (depth && (!json_is_integer(depth) || json_integer_value(depth) < 1))
		return wrong(&line, "glob_scan_max_depth", "expected a number from 1");
	line.depth = (size_t)json_integer_value(depth);
	json_object_foreach (files, key, value) {
		const json_t *origin = json_object_get(origins, key);

		if (strcmp(key, "glob_scan_max_depth") == 0)
			continue;
		if (json_is_object(value) && json_is_object(origin)) {
			if (apply_table(&line, key, value, origin) < 0)
				return -1;
			continue;
		}
		line.source = config_from(origin).source;
		if (parse_access(&line, key, value) < 0 || add_key(&line, key, "") < 0)
			return -1;
	}
	return 0;
}

/*
 * A link among them (/bin on a merged /usr) counts as what it leads to: the
 * sandbox puts the links of the top level back.
 */
const struct platform_default platform_defaults[] = {
        {"/usr"},                   /* programs, libraries, data */
        {"/bin"},                   /* programs */
        {"/sbin"},                  /* programs */
        {"/lib"},                   /* libraries and the loader */
        {"/lib64"},                 /* the loader */
        {"/etc"},                   /* names, time zones, certificates, alternatives */
        {"/nix/store"},             /* everything, on NixOS */
        {"/run/current-system/sw"}, /* what NixOS calls /usr */
        {NULL},
};

/* As in a set; a relative pattern is one of the workspace. */
int deny_path(struct workbench *bench, const char *pattern, const char *source, struct error *err)
{
	struct line line = {.bench = bench, .access = ACCESS_NONE, .source = source, .err = err};
	cleanup_free char *whole = NULL;

	if (!bench->policy->deny_globs)
		bench->policy->deny_globs = xjson(json_array());
	if (pattern[0] == '/' || pattern[0] == '~')
		return add_key(&line, pattern, "");
	if (strncmp(pattern, "./", 2) == 0)
		pattern += 2;
	whole = path_below(bench->policy->workspace, pattern);
	return add(&line, pattern, whole);
}

/* As its user's home is registered: a variable does not take an administrator's word back. */
static int deny_registered(struct workbench *bench, const char *pattern, const char *source,
                           struct error *err)
{
	cleanup_free char *home = home_registered();
	cleanup_free char *path = home ? xasprintf("%s%s", home, pattern + 1) : NULL;

	return path ? deny_path(bench, path, source, err) : 0;
}

int deny_read(struct workbench *bench, struct error *err)
{
	struct from from;
	const json_t *patterns =
	        config_get(bench->policy->settings->config, &from, "requirements", "deny_read");

	for (size_t i = 0; i < json_array_size(patterns); i++) {
		const char *pattern = json_string_value(json_array_get(patterns, i));

		if (deny_path(bench, pattern, from.source, err) < 0 ||
		    (pattern[0] == '~' && deny_registered(bench, pattern, from.source, err) < 0))
			return -1;
	}
	return 0;
}

void deny_read_finally(struct policy *policy)
{
	struct from from;

	if (!config_get(policy->settings->config, &from, "requirements", "deny_read"))
		return;
	for (size_t i = 0; i < policy->origin_count; i++) {
		const struct origin *origin = &policy->origins[i];

		if (origin->access == ACCESS_NONE && strcmp(origin->source, from.source) == 0)
			permissions_force(&policy->permissions, origin->path, ACCESS_NONE);
	}
}
