#include "capability.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "sid_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "S-1-5-21"

bool capability_is_sid(const char *text)
{
	if (strncmp(text, PREFIX, strlen(PREFIX)) != 0)
		return false;
	text += strlen(PREFIX);
	for (int i = 0; i < 4; i++) {
		uint64_t number = 0;
		size_t len;

		if (*text++ != '-')
			return false;
		len = strspn(text, "0123456789");
		if (len == 0 || len > 10 || (text[0] == '0' && len > 1))
			return false;
		for (size_t k = 0; k < len; k++)
			number = number * 10 + (uint64_t)(text[k] - '0');
		if (number > UINT32_MAX)
			return false;
		text += len;
	}
	return *text == '\0';
}

static char *new_sid(struct error *err)
{
	uint32_t n[4];

	if (store_random(n, sizeof(n), err) < 0)
		return NULL;
	return xasprintf(PREFIX "-%u-%u-%u-%u", n[0], n[1], n[2], n[3]);
}

static json_t *load(const struct store *store, struct error *err)
{
	cleanup_free char *text = store_read(store, err);
	json_error_t why;
	json_t *known;

	if (!text)
		return NULL;
	if (text[0] == '\0')
		return xjson(json_object());
	known = json_loads(text, JSON_REJECT_DUPLICATES, &why);
	if (json_is_object(known))
		return known;
	json_decref(known);
	error_set(err, EXIT_INPUT, "bad-cap-sid",
	          "cap_sid: not an object of SIDs; remove it, and new ones are made");
	return NULL;
}

/* One SID for two directories would make one of them out of both. */
static bool is_used(json_t *known, const char *sid, const json_t *except)
{
	const char *key, *inner_key;
	json_t *value, *inner;

	json_object_foreach (known, key, value) {
		if (value != except && json_is_string(value) &&
		    strcmp(json_string_value(value), sid) == 0)
			return true;
		json_object_foreach (value, inner_key, inner)
			if (inner != except && json_is_string(inner) &&
			    strcmp(json_string_value(inner), sid) == 0)
				return true;
	}
	return false;
}

/* The SID under a name, made when there is none. */
static const char *find(json_t *known, json_t *table, const char *name, bool *changed,
                        struct error *err)
{
	const json_t *value = json_object_get(table, name);
	const char *sid = json_string_value(value);

	if (!value) {
		cleanup_free char *made = new_sid(err);

		if (!made)
			return NULL;
		json_object_set_new(table, name, xjson(json_string(made)));
		*changed = true;
		return json_string_value(json_object_get(table, name));
	}
	/* Whoever could write Everyone here could write everywhere. */
	if (sid && capability_is_sid(sid) && !is_used(known, sid, value))
		return sid;
	error_set(err, EXIT_INPUT, "bad-cap-sid",
	          "cap_sid: \"%s\": not a SID of its own; remove it, and a new one is made", name);
	return NULL;
}

static json_t *table(json_t *known, const char *name)
{
	json_t *value = json_object_get(known, name);

	if (json_is_object(value))
		return value;
	json_object_set_new(known, name, xjson(json_object()));
	return json_object_get(known, name);
}

static int add(json_t *list, const char *sid, const char *purpose, const struct rule *rule)
{
	if (!sid)
		return -1;
	json_array_append_new(list,
	                      xjson(json_pack("{s:s,s:s,s:s?}", "sid", sid, "purpose", purpose,
	                                      "path", rule ? rule->path.path : NULL)));
	return 0;
}

static json_t *sids_of(json_t *known, const struct rules *rules, const struct rule *workspace,
                       bool *changed, struct error *err)
{
	cleanup_json json_t *list = xjson(json_array());

	if (workspace && add(list,
	                     find(known, table(known, "workspace_by_cwd"), workspace->path.key + 1,
	                          changed, err),
	                     "workspace", workspace) < 0)
		return NULL;
	for (size_t i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->list[i];

		if (rule->is_root && rule != workspace &&
		    add(list,
		        find(known, table(known, "writable_root_by_path"), rule->path.key + 1,
		             changed, err),
		        "root", rule) < 0)
			return NULL;
	}
	/* A token without any would be held by nothing. */
	if (json_array_size(list) == 0 &&
	    add(list, find(known, known, "readonly", changed, err), "read-only", NULL) < 0)
		return NULL;
	return json_incref(list);
}

json_t *capability_sids(const char *home, const struct rules *rules, const struct rule *workspace,
                        struct error *err)
{
	cleanup_store struct store *store = store_open(home, err);
	cleanup_json json_t *known = store ? load(store, err) : NULL;
	cleanup_json json_t *list = NULL;
	bool changed = false;

	if (!known)
		return NULL;
	list = sids_of(known, rules, workspace, &changed, err);
	if (list && changed) {
		cleanup_free char *text = json_text_dump(known, JSON_INDENT(1));

		if (store_write(store, xjson(text), err) < 0)
			return NULL;
	}
	return list ? json_incref(list) : NULL;
}
