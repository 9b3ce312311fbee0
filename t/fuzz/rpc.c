/*
 * Fuzzing what a client of the Model Context Protocol sends.
 *
 * What must hold: nothing crashes or leaks; every line is one of the kinds of
 * messages, with what is relied on later; only the words of a choice approve.
 */
#include "mcp/form.h"
#include "mcp/roots.h"
#include "rpc/fits.h"
#include "rpc/incoming.h"
#include "rpc/message.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "must.h"

#include <string.h>

static const char schema_text[] =
        "{\"type\":\"object\",\"properties\":{\"command\":{\"anyOf\":[{\"type\":\"string\",\"minLength\":1},"
        "{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"string\"}}]},\"n\":{\"type\":\"number\",\"minimum\":0,"
        "\"maximum\":9},\"env\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},\"w\":{\"enum\":[\"a\"]}},"
        "\"required\":[\"command\"],\"additionalProperties\":false}";
static const char question_text[] =
        "{\"id\":\"1\",\"type\":\"exec_approval_request\",\"options\":[\"approved\",\"denied\"]}";

/* What fits has a command that can be one. */
static void check_fit(const json_t *schema, json_t *value)
{
	cleanup_free char *wrong = misfit(schema, value, "arguments");
	const json_t *command = json_object_get(value, "command");

	if (!wrong)
		must(plain_text(command) || json_array_size(command) > 0);
}

static void check_answer(const json_t *question, const json_t *result)
{
	cleanup_json json_t *answer = form_answer(question, result);
	const char *decision = json_string_value(json_object_get(answer, "decision"));
	const char *action = plain_text(json_object_get(result, "action"));

	must(strcmp(decision, "approved") == 0 || strcmp(decision, "denied") == 0);
	must(strcmp(decision, "denied") == 0 || (action && strcmp(action, "accept") == 0));
}

static void check_question(json_t *value)
{
	cleanup_json json_t *params = form_params(value);

	must(json_is_object(params));
}

static void check(const char *text, size_t len)
{
	cleanup_json json_t *value = message_parse(text, len);
	cleanup_json json_t *schema = xjson(json_loads(schema_text, 0, NULL));
	cleanup_json json_t *question = xjson(json_loads(question_text, 0, NULL));
	cleanup_json json_t *roots = NULL;
	struct message m;

	if (!value)
		return;
	message_read(value, &m);
	must(!m.id || json_is_string(m.id) || json_is_integer(m.id));
	must(m.kind != MESSAGE_WRONG || m.why);
	must(m.kind != MESSAGE_REQUEST ||
	     (m.id && m.method && (!m.params || json_is_object(m.params))));
	must(m.kind != MESSAGE_RESPONSE || m.id);
	check_fit(schema, value);
	check_answer(question, value);
	check_question(value);
	roots = roots_read(value);
	must(!roots || json_is_array(roots));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct incoming in = {.fd = -1};
	const char *text;
	size_t len;
	int ends[2];

	if (size > 4096 || pipe(ends) < 0)
		return 0;
	must(write(ends[1], data, size) == (ssize_t)size);
	must(write(ends[1], "\n", 1) == 1);
	close(ends[1]);
	in.fd = ends[0];
	while (!in.ended) {
		incoming_fill(&in);
		while (incoming_next(&in, &text, &len) != LINE_NONE)
			check(text, len);
	}
	close(ends[0]);
	incoming_free(&in);
	return 0;
}
