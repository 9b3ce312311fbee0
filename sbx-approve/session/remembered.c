#include "session/remembered.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "fs/path.h"
#include "rules/learned_rules.h"
#include "session/scope.h"

#include <string.h>

void store_begin(struct store *store)
{
	store->approvals = xjson(json_object());
	store->roots = xjson(json_array());
}

void store_free(struct store *store)
{
	json_decref(store->approvals);
	json_decref(store->roots);
}

/* One text for one bind, whatever order its members came in; what it runs is compared apart. */
static char *canonical(json_t *bind)
{
	cleanup_json json_t *own = xjson(json_copy(bind));

	json_object_del(own, "runs");
	return xjson(json_text_dump(own, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY));
}

/*
 * What a granted directory is bound to: all of the first bind but its file and
 * the words behind the program, which differ from patch to patch.  A directory
 * is given to the patches of one program in the sandbox of one policy; of a
 * program that runs whatever it is given, to the same words.
 */
static json_t *root_bind(json_t *bind)
{
	json_t *out = xjson(json_copy(bind));
	const json_t *argv = json_object_get(bind, "argv");
	const char *program = json_string_value(json_array_get(argv, 0));

	json_object_set(out, "program", json_array_get(argv, 0));
	json_object_del(out, "key");
	json_object_del(out, "runs");
	json_object_del(out, "patch");
	if (program && !runs_anything(program))
		json_object_del(out, "argv");
	return out;
}

static bool below_root(const struct store *store, json_t *bind, const json_t *file)
{
	cleanup_json json_t *wanted = root_bind(bind);
	const char *path = json_string_value(file);
	size_t i;
	json_t *root;

	if (!path || !path_is_normal(path))
		return false;
	json_array_foreach (store->roots, i, root)
		if (path_contains(json_string_value(json_object_get(root, "root")), path) &&
		    json_equal(json_object_get(root, "bind"), wanted))
			return true;
	return false;
}

/* Only where a patch was asked about, to run in the sandbox. */
static void add_root(struct store *store, const json_t *binds, json_t *root)
{
	json_t *bind = json_array_get(binds, 0);
	const char *want = json_string_value(json_object_get(bind, "want"));

	if (want && strcmp(want, "patch") == 0)
		json_array_append_new(store->roots, xjson(json_pack("{s:O,s:o}", "root", root,
		                                                    "bind", root_bind(bind))));
}

/*
 * A sandbox holds whatever is run in it.  Outside, a yes was for what was there:
 * anything else, or what nobody can tell, is asked about again.
 */
static bool still_holds(const json_t *remembered, const json_t *bind)
{
	const json_t *grant = json_object_get(remembered, "grant");
	const json_t *before = json_object_get(remembered, "runs");
	const json_t *now = json_object_get(bind, "runs");

	if (!now) /* a patch is bound to its files */
		return true;
	if (!json_is_true(json_object_get(remembered, "outside")) &&
	    !json_object_get(grant, "sandbox"))
		return true;
	return json_is_string(before) && json_equal(before, now);
}

json_t *store_find(const struct store *store, const json_t *binds, const json_t *files)
{
	const json_t *found = NULL;
	size_t i;
	json_t *bind;

	if (json_array_size(binds) == 0)
		return NULL;
	json_array_foreach (binds, i, bind) {
		cleanup_free char *text = canonical(bind);
		const json_t *remembered = json_object_get(store->approvals, text);

		if (remembered && still_holds(remembered, bind))
			found = remembered;
		else if (!below_root(store, bind, json_array_get(files, i)))
			return NULL;
	}
	return found ? json_deep_copy(found)
	             : xjson(json_pack("{s:s}", "decision", "approved_for_session"));
}

/*
 * Resolved when it was given: whoever writes there later cannot make it another
 * place.  False when it is none that could be given.
 */
static bool what_was_given(const json_t *answer, const json_t *wanted, struct grant *grant)
{
	const json_t *given = json_object_get(answer, "grant");
	const json_t *json = json_is_object(given) ? given : wanted;
	struct error ignored = {0};

	if (!json_is_object(json))
		return true;
	if (grant_get(json, grant, &ignored) < 0)
		return false;
	grant_make_canonical(grant);
	return true;
}

static json_t *entry(const json_t *bind, const struct grant *grant, bool here)
{
	json_t *mark = here ? scope_mark(bind, grant) : NULL;
	json_t *out =
	        xjson(json_pack("{s:s,s:O,s:O?,s:O?}", "decision", "approved_for_session", "key",
	                        json_object_get(bind, "key"), "cwd", json_object_get(bind, "cwd"),
	                        "outside", json_object_get(bind, "outside")));

	if (!grant_is_nothing(grant))
		json_object_set_new(out, "grant", grant_json(grant));
	if (json_object_get(bind, "runs"))
		json_object_set(out, "runs", json_object_get(bind, "runs"));
	if (mark)
		json_object_set_new(out, "scope", mark);
	return out;
}

void store_add(struct store *store, const json_t *binds, const json_t *answer, const json_t *wanted,
               bool here)
{
	const char *decision = json_string_value(json_object_get(answer, "decision"));
	json_t *root = json_object_get(answer, "grant_root");
	cleanup_grant struct grant grant = GRANT_NOTHING;
	size_t i;
	json_t *bind;

	if (!decision || strncmp(decision, "approved", 8) != 0)
		return;
	if (json_is_string(root))
		add_root(store, binds, root);
	if (strcmp(decision, "approved_for_session") != 0 ||
	    !what_was_given(answer, wanted, &grant))
		return;
	json_array_foreach (binds, i, bind) {
		cleanup_free char *text = canonical(bind);

		json_object_set_new(store->approvals, text, entry(bind, &grant, here));
	}
}

/* For people: whether it widens the session, not by what that is recognised. */
static json_t *shown(json_t *value)
{
	json_t *out = xjson(json_copy(value));

	if (json_object_get(out, "scope"))
		json_object_set_new(out, "scope", json_string("session"));
	json_object_del(out, "runs");
	return out;
}

json_t *store_list(const struct store *store)
{
	json_t *list = xjson(json_array());
	const char *text;
	json_t *value;
	size_t i;

	json_object_foreach (store->approvals, text, value)
		json_array_append_new(list, shown(value));
	json_array_foreach (store->roots, i, value) {
		cleanup_free char *key =
		        xasprintf("root:%s", json_string_value(json_object_get(value, "root")));

		json_array_append_new(list, xjson(json_pack("{s:s,s:s}", "decision",
		                                            "approved_for_session", "key", key)));
	}
	return list;
}

size_t store_revoke(struct store *store, const char *key)
{
	const char *text;
	json_t *value;
	void *next;
	size_t gone = 0;

	json_object_foreach_safe(store->approvals, next, text, value)
	{
		const char *own = json_string_value(json_object_get(value, "key"));

		if (!key || (own && strcmp(own, key) == 0)) {
			json_object_del(store->approvals, text);
			gone++;
		}
	}
	for (size_t i = json_array_size(store->roots); i-- > 0;) {
		const char *root =
		        json_string_value(json_object_get(json_array_get(store->roots, i), "root"));

		if (!key || (strncmp(key, "root:", 5) == 0 && strcmp(key + 5, root) == 0)) {
			json_array_remove(store->roots, i);
			gone++;
		}
	}
	return gone;
}
