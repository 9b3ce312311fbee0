#include "rules.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"

#include <stdlib.h>
#include <string.h>

static int unsupported(struct error *err, const char *entry, const char *why)
{
	return error_set(err, EXIT_UNAVAILABLE, "unsupported-policy",
	                 "permissions: \"%s\": %s: a restricted token cannot hold this", entry,
	                 why);
}

/* "/" is every drive; any other path is one of Windows. */
static int read_path(const char *text, const char *what, struct winpath *path, struct error *err)
{
	struct error why = {0};

	if (strcmp(text, "/") == 0) {
		*path = (struct winpath){.path = xstrdup("/"), .key = xstrdup("/")};
		return 0;
	}
	if (winpath_get(text, path, &why) == 0)
		return 0;
	return error_set(err, why.exit, why.code, "%s: %s", what, why.message);
}

static int add_entry(struct rules *rules, const json_t *json, size_t i, struct error *err)
{
	cleanup_free char *what = xasprintf("permissions.fs[%zu].path", i);
	cleanup_free char *text = os_string_get(json_object_get(json, "path"), what, err);
	int access = access_parse(json_string_value(json_object_get(json, "access")));
	struct winpath path;

	if (!text)
		return -1;
	if (access < 0)
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "permissions.fs[%zu].access: expected read, write or none", i);
	if (read_path(text, what, &path, err) < 0)
		return -1;
	list_add(rules->list, rules->count,
	         (struct rule){.path = path, .access = (enum access)access});
	permissions_add(&rules->keys, path.key, (enum access)access);
	if (access == ACCESS_NONE)
		return unsupported(err, text, "\"none\" limits reading");
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct rule *x = a, *y = b;

	return path_compare(x->path.key, y->path.key);
}

/*
 * One rule a path, in order, each with the access that ties leave it.  Names
 * that only another system could tell apart must not differ in access: one of
 * the two would be lost.
 */
static int settle(struct rules *rules, struct error *err)
{
	size_t used = 0;

	if (rules->count > 0)
		qsort(rules->list, rules->count, sizeof(*rules->list), by_key);
	for (size_t i = 0; i < rules->count; i++) {
		struct rule *rule = &rules->list[i];

		const struct rule *last = used > 0 ? &rules->list[used - 1] : NULL;

		if (!last || strcmp(last->path.key, rule->path.key) != 0) {
			struct rule moved = *rule;

			rule->path = (struct winpath){0};
			rules->list[used++] = moved;
			continue;
		}
		if (last->access != rule->access && strcmp(last->path.path, rule->path.path) != 0)
			return error_set(err, EXIT_UNAVAILABLE, "unsupported-policy",
			                 "permissions: \"%s\" and \"%s\" are one directory on "
			                 "Windows and have different access",
			                 last->path.path, rule->path.path);
		winpath_free(&rule->path);
	}
	rules->count = used;
	for (size_t i = 0; i < used; i++)
		rules->list[i].access =
		        permissions_find(&rules->keys, rules->list[i].path.key)->access;
	return 0;
}

/* Two entries that may or may not be one directory: which one counts? */
static int refuse_unclear(const struct rules *rules, struct error *err)
{
	for (size_t i = 0; i < rules->count; i++)
		for (size_t k = i + 1; k < rules->count; k++)
			if (winpath_unclear(rules->list[i].path.key, rules->list[k].path.key))
				return error_set(
				        err, EXIT_UNAVAILABLE, "unsupported-policy",
				        "permissions: \"%s\" and \"%s\" differ in the case of "
				        "letters that file systems treat differently: spell them "
				        "alike",
				        rules->list[i].path.path, rules->list[k].path.path);
	return 0;
}

static int judge_write(const struct rules *rules, size_t i, ssize_t above, bool in_root,
                       struct error *err)
{
	const struct rule *rule = &rules->list[i];

	if (rule->path.key[1] == '\0')
		return unsupported(err, "/", "writing everywhere is no limit");
	if (winpath_is_top(&rule->path))
		return unsupported(err, rule->path.path, "a whole drive or share is writable");
	if (in_root && rules->list[above].access != ACCESS_WRITE)
		return unsupported(err, rule->path.path,
		                   "writable again below a read-only directory of a writable root");
	return 0;
}

/* What each rule is, from the rule right above it. */
static int judge(struct rules *rules, struct error *err)
{
	cleanup_free ssize_t *above = xrealloc_array(NULL, rules->count + 1, sizeof(*above));

	for (size_t i = 0; i < rules->count; i++) {
		struct rule *rule = &rules->list[i];
		const struct rule *parent;
		bool in_root;

		above[i] = (ssize_t)i - 1;
		while (above[i] >= 0 &&
		       !path_contains(rules->list[above[i]].path.key, rule->path.key))
			above[i] = above[above[i]];
		parent = above[i] < 0 ? NULL : &rules->list[above[i]];
		in_root = parent && (parent->is_root || parent->root);
		/* From 1, so that 0 is none. */
		rule->root = !in_root ? 0 : parent->is_root ? (size_t)above[i] + 1 : parent->root;
		if (rule->access == ACCESS_WRITE) {
			if (judge_write(rules, i, above[i], in_root, err) < 0)
				return -1;
			rule->is_root = !in_root;
		} else {
			rule->is_carve_out = in_root && parent->access == ACCESS_WRITE;
		}
	}
	return 0;
}

static int refuse_restricted_reading(const struct rules *rules, const json_t *json,
                                     enum holder holder, struct error *err)
{
	const json_t *globs = json_object_get(json, "deny_globs");
	const json_t *first = json_array_get(globs, 0);

	if (holder == RULES_OF_TOKEN && !permissions_find(&rules->keys, "/"))
		return unsupported(err, "/", "not readable as a whole");
	if (globs && !json_is_null(globs) && !json_is_array(globs))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "permissions.deny_globs: expected a list");
	if (first)
		return unsupported(err, json_is_string(first) ? json_string_value(first) : "",
		                   "deny_globs limit reading");
	return 0;
}

/* The roots as the policy lists them must be the roots that its entries make. */
static int compare_root(const struct rules *rules, const json_t *json, size_t i, bool *listed,
                        struct error *err)
{
	cleanup_free char *what = xasprintf("policy.writable_roots[%zu].root", i);
	cleanup_free char *text = os_string_get(json_object_get(json, "root"), what, err);
	struct winpath path;
	bool found = false;

	if (!text || read_path(text, what, &path, err) < 0)
		return -1;
	for (size_t k = 0; k < rules->count; k++) {
		if (strcmp(rules->list[k].path.key, path.key) != 0)
			continue;
		listed[k] = true;
		found = rules->list[k].access == ACCESS_WRITE;
	}
	winpath_free(&path);
	return found ? 0
	             : unsupported(err, text, "in writable_roots, but not writable in permissions");
}

static int compare_roots(const struct rules *rules, const json_t *policy, struct error *err)
{
	const json_t *roots = json_object_get(policy, "writable_roots");
	cleanup_free bool *listed = xrealloc_array(NULL, rules->count + 1, sizeof(*listed));

	if (!roots || json_is_null(roots))
		return 0;
	if (!json_is_array(roots))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "policy.writable_roots: expected a list");
	memset(listed, 0, (rules->count + 1) * sizeof(*listed));
	for (size_t i = 0; i < json_array_size(roots); i++)
		if (compare_root(rules, json_array_get(roots, i), i, listed, err) < 0)
			return -1;
	for (size_t k = 0; k < rules->count; k++)
		if (rules->list[k].is_root && !listed[k])
			return unsupported(err, rules->list[k].path.path,
			                   "writable in permissions, but not in writable_roots");
	return 0;
}

int rules_get(const json_t *policy, enum holder holder, struct rules *rules, struct error *err)
{
	const json_t *json = json_object_get(policy, "permissions");
	const json_t *fs = json_object_get(json, "fs");

	if (permissions_get_for("windows", json, &rules->keys, err) < 0)
		return -1;
	for (size_t i = 0; i < json_array_size(fs); i++)
		if (add_entry(rules, json_array_get(fs, i), i, err) < 0)
			return -1;
	if (settle(rules, err) < 0 || refuse_restricted_reading(rules, json, holder, err) < 0 ||
	    refuse_unclear(rules, err) < 0 || judge(rules, err) < 0)
		return -1;
	return compare_roots(rules, policy, err);
}

void rules_free(struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		winpath_free(&rules->list[i].path);
	free(rules->list);
	permissions_free(&rules->keys);
	*rules = (struct rules){0};
}

const struct rule *rules_root_of(const struct rules *rules, const struct winpath *path)
{
	for (size_t i = 0; i < rules->count; i++)
		if (rules->list[i].is_root && path_contains(rules->list[i].path.key, path->key))
			return permissions_resolve(&rules->keys, path->key, NULL) == ACCESS_WRITE
			               ? &rules->list[i]
			               : NULL;
	return NULL;
}
