#include "session/scope.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "decision_table.h"
#include "grant/effective.h"

#include <string.h>

/* All of a bind that is not about one command. */
static json_t *place(const json_t *bind)
{
	return xjson(json_pack("{s:O?,s:O?}", "cwd", json_object_get(bind, "cwd"), "policy",
	                       json_object_get(bind, "policy")));
}

json_t *scope_mark(const json_t *bind, const struct grant *grant)
{
	const char *want = json_string_value(json_object_get(bind, "want"));

	if (!want || grant->outside || grant_is_nothing(grant) ||
	    (strcmp(want, want_names[WANT_RETRY]) != 0 && strcmp(want, want_names[WANT_MORE]) != 0))
		return NULL;
	return place(bind);
}

/* One that somebody put something else in the place of is worth nothing any more. */
static void add(struct grant *all, const json_t *json)
{
	cleanup_grant struct grant grant = GRANT_NOTHING;
	struct error ignored = {0};

	if (grant_get(json, &grant, &ignored) == 0 && !grant.outside &&
	    effective_check_grant(&grant, &ignored) == 0)
		grant_add(all, &grant);
}

json_t *scope_grant(json_t *approvals, const json_t *bind)
{
	cleanup_json json_t *here = place(bind);
	cleanup_grant struct grant all = GRANT_NOTHING;
	const char *text;
	json_t *value;

	json_object_foreach (approvals, text, value) {
		const json_t *mark = json_object_get(value, "scope");

		if (mark && json_equal(mark, here))
			add(&all, json_object_get(value, "grant"));
	}
	return grant_is_nothing(&all) ? NULL : grant_json(&all);
}
