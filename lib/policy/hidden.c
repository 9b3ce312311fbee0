#include "policy/hidden.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_list.h"
#include "document/osstring.h"

#include <string.h>

#define WORDS_SHOWN 5

json_t *hidden_places(const json_t *policy)
{
	const json_t *permissions = json_object_get(policy, "permissions");
	json_t *out = xjson(json_array());
	size_t i;
	json_t *entry;

	json_array_foreach (json_object_get(permissions, "fs"), i, entry) {
		const char *access = json_string_value(json_object_get(entry, "access"));

		if (access && strcmp(access, "none") == 0)
			json_array_append(out, json_object_get(entry, "path"));
	}
	json_array_foreach (json_object_get(permissions, "deny_globs"), i, entry)
		json_array_append(out, entry);
	return out;
}

bool hidden_are_named(const json_t *hidden, const json_t *named)
{
	size_t i;
	json_t *place;

	json_array_foreach (hidden, i, place)
		if (!json_list_has(named, place))
			return false;
	return true;
}

bool hidden_is_final(const json_t *policy)
{
	const json_t *required = json_object_get(policy, "requirements");

	return json_array_size(json_object_get(required, "deny_read")) > 0;
}

char *hidden_words(const json_t *hidden)
{
	size_t i, count = json_array_size(hidden);
	char *out = xstrdup("");
	json_t *place;

	json_array_foreach (hidden, i, place) {
		cleanup_free char *before = out;
		struct error ignored = {0};
		cleanup_free char *path = os_string_get(place, "path", &ignored);

		if (i == WORDS_SHOWN) {
			out = xasprintf("%s and %zu more", before, count - i);
			break;
		}
		out = xasprintf("%s%s%s", before, i ? ", " : "", path ? path : "?");
	}
	return out;
}

int hidden_check(const json_t *doc, struct error *err)
{
	const json_t *grant = json_object_get(json_object_get(doc, "approval"), "grant");
	cleanup_json json_t *hidden = hidden_places(json_object_get(doc, "policy"));
	cleanup_free char *words = NULL;

	if (hidden_are_named(hidden, json_object_get(grant, "none")) &&
	    !hidden_is_final(json_object_get(doc, "policy")))
		return 0;
	words = hidden_words(hidden);
	return error_set(err, EXIT_DENIED, "hidden",
	                 "the policy hides %s, which a run without a sandbox would see; "
	                 "whoever approves it has to name them (grant.none)",
	                 words);
}
