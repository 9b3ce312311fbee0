#include "report/result.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "policy/environment.h"
#include "policy/words.h"
#include "report/heuristic.h"
#include "report/noise.h"

#include <signal.h>
#include <string.h>

extern char **environ;

/* sbx-select may have seen it before. */
static bool is_listed(const json_t *list, const json_t *lost)
{
	const json_t *name = json_object_get(lost, "guarantee");
	size_t i;
	json_t *item;

	json_array_foreach (list, i, item)
		if (json_equal(json_object_get(item, "guarantee"), name))
			return true;
	return false;
}

static void add_lost(json_t *doc, json_t *lost)
{
	json_t *sandbox = json_object_get(doc, "sandbox");
	json_t *list = json_object_get(sandbox, "lost");
	size_t i;
	json_t *item;

	if (!lost || !json_is_object(sandbox))
		return;
	if (!json_is_array(list)) {
		json_object_set(sandbox, "lost", lost);
		return;
	}
	json_array_foreach (lost, i, item)
		if (!is_listed(list, item))
			json_array_append(list, item);
}

static const char *const ending_names[] = {
        [ENDING_EXITED] = "exited",
        [ENDING_SIGNALLED] = "signalled",
        [ENDING_TIMED_OUT] = "timed-out",
        [ENDING_NOT_FOUND] = "not-found",
        [ENDING_NOT_EXECUTABLE] = "not-executable",
        [ENDING_NOT_APPROVED] = "not-approved",
        [ENDING_NO_SANDBOX] = "no-sandbox",
        [ENDING_FAILED] = "failed",
};

/* Whether the command ran, so that the sandbox can have stopped it. */
static bool has_run(enum ending ending)
{
	return ending == ENDING_EXITED || ending == ENDING_SIGNALLED || ending == ENDING_TIMED_OUT;
}

/*
 * A guess from what it printed.  What did not run printed nothing: those are
 * words of ours, and "sandbox" in them is no sign of a denial.
 */
static bool guess_denied(const json_t *doc, const struct outcome *o, const struct capture *c)
{
	const char *sandbox =
	        json_string_value(json_object_get(json_object_get(doc, "exec"), "sandbox"));
	bool windows = word_index(sandbox_names, sandbox) == SANDBOX_WINDOWS;

	return has_run(o->ending) && !o->timed_out && looks_denied(c, o->exit_code, windows);
}

/* Names that carry secrets and did not come through, for whoever wonders why it failed. */
static json_t *dropped_environment(const json_t *doc)
{
	json_t *given = json_object_get(json_object_get(doc, "command"), "env");
	const json_t *passed = json_object_get(json_object_get(doc, "exec"), "env");
	cleanup_json json_t *own =
	        json_is_object(given) ? json_incref(given) : os_environment(environ);
	json_t *out = xjson(json_array());
	const char *name;
	json_t *value;

	json_object_foreach (own, name, value)
		if (!json_object_get(passed, name) && environment_secret(name, strlen(name)))
			json_array_append_new(out, xjson(json_string(name)));
	return out;
}

void result_set(json_t *doc, const struct outcome *o, const struct capture *c, bool sandboxed,
                json_t *lost)
{
	bool denied = c && sandboxed && guess_denied(doc, o, c);
	cleanup_json json_t *dropped = dropped_environment(doc);
	json_t *result = xjson(
	        json_pack("{s:s, s:i, s:o, s:b, s:I, s:b, s:s, s:[], s:i}", "outcome",
	                  ending_names[o->ending], "exit_code", o->exit_code, "signal",
	                  o->signal ? json_integer(o->signal) : json_null(), "timed_out",
	                  o->timed_out, "duration_ms", (json_int_t)o->duration_ms, "denied", denied,
	                  "evidence", denied ? "heuristic" : "none", "denials", "attempts", 1));

	if (c) {
		json_object_set_new(result, "stdout", stream_json(&c->out));
		json_object_set_new(result, "stderr", stream_json(&c->err));
		json_object_set_new(result, "truncated",
		                    xjson(json_pack("{s:b, s:b}", "stdout", c->out.truncated,
		                                    "stderr", c->err.truncated)));
	}
	if (json_array_size(dropped) > 0)
		json_object_set(result, "dropped_environment", dropped);
	json_object_set_new(doc, "result", result);
	add_lost(doc, lost);
}

void result_usage(json_t *doc, json_t *said, const struct usage *seen)
{
	json_t *result = json_object_get(doc, "result");

	if (said)
		json_object_set(result, "usage", said);
	else
		json_object_set_new(result, "usage", usage_json(seen));
}

/* A command that succeeds did well without these. */
static void leave_out_noise(json_t *denials)
{
	for (size_t i = json_array_size(denials); i-- > 0;)
		if (is_noise_of_success(json_array_get(denials, i)))
			json_array_remove(denials, i);
}

void result_observed(json_t *doc, const struct denials *d)
{
	json_t *result = json_object_get(doc, "result");
	bool succeeded = json_integer_value(json_object_get(result, "exit_code")) == 0;
	bool any;
	bool killed = json_integer_value(json_object_get(result, "signal")) == SIGSYS;
	bool failed = json_integer_value(json_object_get(result, "exit_code")) != 0 &&
	              !json_is_true(json_object_get(result, "timed_out"));
	const char *outcome = json_string_value(json_object_get(result, "outcome"));
	bool ran = outcome && (strcmp(outcome, ending_names[ENDING_EXITED]) == 0 ||
	                       strcmp(outcome, ending_names[ENDING_SIGNALLED]) == 0);

	if (succeeded)
		leave_out_noise(d->list);
	any = json_array_size(d->list) > 0;
	if (d->reached)
		json_object_set(result, "network", d->reached);
	if (d->unobserved)
		json_object_set(result, "unobserved", d->unobserved);
	if (d->dropped > 0)
		json_object_set_new(result, "denials_dropped", json_integer(d->dropped));
	/* Whoever is killed by the filter is not seen: there the guess stays. */
	if (!d->observed || (!any && killed))
		return;
	json_object_set(result, "denials", d->list);
	json_object_set_new(result, "evidence", xjson(json_string(any ? "observed" : "none")));
	/* One that was refused something and coped was not stopped by it; nor one that never ran.
	 */
	json_object_set_new(result, "denied", json_boolean(any && failed && ran));
}

int run_status(int status)
{
	if (status == EXIT_DENIED)
		return 126;
	return status == 126 || status == 127 ? status : 125;
}

static enum ending why_not_run(const json_t *doc, int status)
{
	const char *code =
	        json_string_value(json_object_get(json_object_get(doc, "error"), "code"));

	if (status == 127)
		return ENDING_NOT_FOUND;
	if (status == 126)
		return code && strcmp(code, "not-executable") == 0 ? ENDING_NOT_EXECUTABLE
		                                                   : ENDING_NOT_APPROVED;
	return code && strcmp(code, "no-sandbox") == 0 ? ENDING_NO_SANDBOX : ENDING_FAILED;
}

void result_failed(json_t *doc)
{
	json_object_set_new(json_object_get(doc, "result"), "outcome",
	                    json_string(ending_names[ENDING_FAILED]));
}

void result_without_command(json_t *doc, int status)
{
	json_object_set_new(
	        doc, "result",
	        xjson(json_pack("{s:s, s:i, s:n, s:b, s:i, s:b, s:s, s:[], s:i}", "outcome",
	                        ending_names[why_not_run(doc, status)], "exit_code", status,
	                        "signal", "timed_out", 0, "duration_ms", 0, "denied", 0, "evidence",
	                        "none", "denials", "attempts", 0)));
}

void result_none(json_t *doc, int status)
{
	const struct outcome o = {.ending = why_not_run(doc, status), .exit_code = status};

	result_set(doc, &o, NULL, false, NULL);
	result_usage(doc, NULL, &USAGE_NONE);
	json_object_set_new(json_object_get(doc, "result"), "attempts", json_integer(0));
}
