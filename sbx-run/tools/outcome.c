#include "tools/outcome.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"

#include <stdio.h>
#include <string.h>

static const json_t *member(const json_t *doc, const char *outer, const char *inner)
{
	return json_object_get(json_object_get(doc, outer), inner);
}

static const char *word(const json_t *value, const char *otherwise)
{
	const char *text = json_string_value(value);

	return text ? text : otherwise;
}

static json_t *stream(const struct kept *kept)
{
	size_t len;
	cleanup_free char *bytes = kept_bytes(kept, &len);

	return os_bytes(bytes, len);
}

static bool is_listed(const json_t *list, const json_t *grant)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_equal(json_object_get(json_array_get(list, i), "additional_permissions"),
		               grant))
			return true;
	return false;
}

/* Each least grant once, as the next call can ask for it. */
static json_t *suggestions(const json_t *denials)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < json_array_size(denials); i++) {
		const json_t *denial = json_array_get(denials, i);
		json_t *grant = json_object_get(denial, "grant");
		json_t *options = json_object_get(denial, "allow_with");
		json_t *one;

		if (!json_is_object(grant) || !json_is_string(options) || is_listed(list, grant))
			continue;
		one = xjson(json_pack("{s:O,s:O}", "additional_permissions", grant, "options",
		                      options));
		json_array_append_new(list, one);
	}
	return list;
}

/* Why it did not run, in the words of the stage that knows. */
static json_t *message(const json_t *doc, const char *outcome)
{
	json_t *reason = json_object_get(json_object_get(doc, "approval"), "reason");
	json_t *why = json_object_get(json_object_get(doc, "error"), "message");

	if (strcmp(outcome, "not-approved") == 0 && json_is_string(reason))
		return json_incref(reason);
	return json_is_string(why) ? json_incref(why) : NULL;
}

/* It said nothing: it was killed, or could not begin; its errors may tell. */
static json_t *silent(const struct job *job)
{
	return xjson(json_pack("{s:s,s:i}", "outcome", "failed", "exit_code", job->status));
}

/* The first line; the one after it is the end event.  NULL: there is none. */
static json_t *document_of(const struct job *job)
{
	const char *end = job->said_used ? memchr(job->said, '\n', job->said_used) : NULL;

	return end ? json_loadb(job->said, (size_t)(end - job->said), 0, NULL) : NULL;
}

json_t *outcome_data(const struct job *job)
{
	cleanup_json json_t *doc = document_of(job);
	json_t *said = json_object_get(doc, "result");
	json_t *denials = json_object_get(said, "denials");
	static const char *const copied[] = {"signal", "timed_out", "duration_ms", "questions"};
	json_t *data =
	        json_is_string(json_object_get(said, "outcome"))
	                ? xjson(json_pack("{s:O,s:O}", "outcome", json_object_get(said, "outcome"),
	                                  "exit_code", json_object_get(said, "exit_code")))
	                : silent(job);
	json_t *why = message(doc, word(json_object_get(data, "outcome"), ""));

	for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++)
		if (json_object_get(said, copied[i]))
			json_object_set(data, copied[i], json_object_get(said, copied[i]));
	json_object_set_new(data, "stdout", stream(&job->streams[STREAM_OUT]));
	json_object_set_new(data, "stderr", stream(&job->streams[STREAM_ERR]));
	json_object_set_new(
	        data, "left_out",
	        xjson(json_pack("{s:I,s:I}", "stdout",
	                        (json_int_t)kept_left_out(&job->streams[STREAM_OUT]), "stderr",
	                        (json_int_t)kept_left_out(&job->streams[STREAM_ERR]))));
	json_object_set_new(data, "denied",
	                    json_boolean(json_is_true(member(doc, "result", "denied"))));
	json_object_set_new(data, "denials",
	                    json_is_array(denials) ? json_incref(denials) : xjson(json_array()));
	json_object_set_new(data, "suggestions", suggestions(denials));
	if (why)
		json_object_set_new(data, "message", why);
	return data;
}

bool outcome_is_failure(const json_t *data)
{
	const char *outcome = word(json_object_get(data, "outcome"), "failed");

	return strcmp(outcome, "exited") != 0 && strcmp(outcome, "signalled") != 0;
}

static void write_stream(FILE *out, const struct kept *kept, const char *head)
{
	size_t len;
	cleanup_free char *bytes = kept_bytes(kept, &len);

	if (len == 0)
		return;
	fputs(head, out);
	fwrite(bytes, 1, len, out);
	if (bytes[len - 1] != '\n')
		fputc('\n', out);
}

static void write_how(FILE *out, const json_t *data)
{
	const char *outcome = word(json_object_get(data, "outcome"), "failed");
	const char *why = json_string_value(json_object_get(data, "message"));

	if (strcmp(outcome, "exited") == 0)
		fprintf(out, "[exit code %d]\n",
		        (int)json_integer_value(json_object_get(data, "exit_code")));
	else if (strcmp(outcome, "signalled") == 0)
		fprintf(out, "[ended by signal %d]\n",
		        (int)json_integer_value(json_object_get(data, "signal")));
	else
		fprintf(out, "[%s%s%s]\n", outcome, why ? ": " : "", why ? why : "");
}

static void write_denials(FILE *out, const json_t *data)
{
	const json_t *denials = json_object_get(data, "denials");
	const json_t *list = json_object_get(data, "suggestions");

	for (size_t i = 0; i < json_array_size(denials) && i < 20; i++) {
		const json_t *denial = json_array_get(denials, i);
		const json_t *path = json_object_get(denial, "path");

		fprintf(out, "[denied: %s %s]\n", word(json_object_get(denial, "op"), "?"),
		        word(path ? path : json_object_get(denial, "address"), "?"));
	}
	for (size_t i = 0; i < json_array_size(list) && i < 20; i++) {
		cleanup_free char *grant = xjson(json_text_dump(
		        json_object_get(json_array_get(list, i), "additional_permissions"),
		        JSON_COMPACT));

		fprintf(out, "[would be allowed with additional_permissions %s]\n", grant);
	}
}

char *outcome_text(const struct job *job, const json_t *data, size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	xjson(out);
	write_stream(out, &job->streams[STREAM_OUT], "");
	write_stream(out, &job->streams[STREAM_ERR], "[stderr]\n");
	write_how(out, data);
	write_denials(out, data);
	if (fclose(out) != 0)
		xjson(NULL);
	return text;
}
