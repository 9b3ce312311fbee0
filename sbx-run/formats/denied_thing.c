#include "formats/denied_thing.h"

#include "advise/limit_option.h"
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"

#include <string.h>

static char *bytes_of(const json_t *object, const char *member)
{
	const json_t *value = json_object_get(object, member);
	struct error none = {0};

	return value && !json_is_null(value) ? os_string_get(value, member, &none) : NULL;
}

static char *clean_of(const json_t *object, const char *member)
{
	cleanup_free char *bytes = bytes_of(object, member);

	return bytes ? text_clean(bytes) : NULL;
}

char *denied_path(const json_t *denial)
{
	return bytes_of(denial, "path");
}

const char *denied_op(const json_t *denial)
{
	const char *op = json_string_value(json_object_get(denial, "op"));

	return op ? op : "other";
}

char *denied_line(const json_t *denial)
{
	cleanup_free char *path = clean_of(denial, "path"), *address = clean_of(denial, "address"),
	                  *call = clean_of(denial, "syscall"),
	                  *program = clean_of(denial, "program"), *op = clean_of(denial, "op"),
	                  *options = clean_of(denial, "allow_with");
	char *limit = limit_said(denial);
	const char *thing = path ? path : address ? address : call ? call : "";

	if (limit)
		return limit;
	return xasprintf("denied: %s %s%s%s%s%s%s", op ? op : "", thing, program ? " (by " : "",
	                 program ? program : "", program ? ")" : "", options ? "; allow with " : "",
	                 options ? options : "");
}

char *command_line(const json_t *doc)
{
	const json_t *argv = json_object_get(json_object_get(doc, "command"), "argv");
	struct error none = {0};
	cleanup_vector char **words = argv ? os_vector_get(argv, "argv", &none) : NULL;
	char *out = xstrdup("");

	for (char **word = words; word && *word; word++) {
		cleanup_free char *before = out;
		cleanup_free char *quoted = text_quote(*word);
		cleanup_free char *clean = text_clean(quoted);

		out = xasprintf("%s%s%s", before, *before ? " " : "", clean);
	}
	return out;
}

bool run_failed(const json_t *doc)
{
	const json_t *result = json_object_get(doc, "result");
	const char *outcome = json_string_value(json_object_get(result, "outcome"));

	return !outcome || strcmp(outcome, "exited") != 0 ||
	       json_integer_value(json_object_get(result, "exit_code")) != 0;
}

char *run_ending(const json_t *doc)
{
	const json_t *result = json_object_get(doc, "result");
	const char *outcome = json_string_value(json_object_get(result, "outcome"));
	cleanup_free char *why = clean_of(json_object_get(doc, "error"), "message");

	if (why)
		return xasprintf("%s: %s", outcome ? outcome : "failed", why);
	if (outcome && strcmp(outcome, "signalled") == 0)
		return xasprintf("died by signal %lld",
		                 (long long)json_integer_value(json_object_get(result, "signal")));
	if (outcome && strcmp(outcome, "exited") == 0)
		return xasprintf(
		        "exited with status %lld",
		        (long long)json_integer_value(json_object_get(result, "exit_code")));
	return xstrdup(outcome ? outcome : "failed");
}
