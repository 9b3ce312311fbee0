#include "result.h"

#include "heuristic.h"
#include "memory.h"

#include <signal.h>
#include <string.h>

static void add_lost(json_t *doc, json_t *lost)
{
	json_t *sandbox = json_object_get(doc, "sandbox");
	json_t *list = json_object_get(sandbox, "lost");

	if (!lost || !json_is_object(sandbox))
		return;
	if (json_is_array(list))
		json_array_extend(list, lost);
	else
		json_object_set(sandbox, "lost", lost);
}

void result_set(json_t *doc, const struct outcome *o, const struct capture *c, bool sandboxed,
                json_t *lost)
{
	const char *sandbox =
	        json_string_value(json_object_get(json_object_get(doc, "exec"), "sandbox"));
	bool windows = sandbox && strcmp(sandbox, "windows-restricted-token") == 0;
	bool denied = c && sandboxed && !o->timed_out && looks_denied(c, o->exit_code, windows);
	json_t *result = xjson(
	        json_pack("{s:i, s:o, s:b, s:I, s:b, s:s, s:[], s:i}", "exit_code", o->exit_code,
	                  "signal", o->signal ? json_integer(o->signal) : json_null(), "timed_out",
	                  o->timed_out, "duration_ms", (json_int_t)o->duration_ms, "denied", denied,
	                  "evidence", denied ? "heuristic" : "none", "denials", "attempts", 1));

	if (c) {
		json_object_set_new(result, "stdout", stream_json(&c->out));
		json_object_set_new(result, "stderr", stream_json(&c->err));
		json_object_set_new(result, "truncated",
		                    xjson(json_pack("{s:b, s:b}", "stdout", c->out.truncated,
		                                    "stderr", c->err.truncated)));
	}
	json_object_set_new(doc, "result", result);
	add_lost(doc, lost);
}

void result_observed(json_t *doc, const struct denials *d)
{
	json_t *result = json_object_get(doc, "result");
	bool any = json_array_size(d->list) > 0;
	bool killed = json_integer_value(json_object_get(result, "signal")) == SIGSYS;
	bool failed = json_integer_value(json_object_get(result, "exit_code")) != 0 &&
	              !json_is_true(json_object_get(result, "timed_out"));

	if (d->unobserved)
		json_object_set(result, "unobserved", d->unobserved);
	if (d->dropped > 0)
		json_object_set_new(result, "denials_dropped", json_integer(d->dropped));
	/* Whoever is killed by the filter is not seen: there the guess stays. */
	if (!d->observed || (!any && killed))
		return;
	json_object_set(result, "denials", d->list);
	json_object_set_new(result, "evidence", xjson(json_string(any ? "observed" : "none")));
	/* A command that was refused something and coped was not stopped by it. */
	json_object_set_new(result, "denied", json_boolean(any && failed));
}
