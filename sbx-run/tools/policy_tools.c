#include "tools/policy_tools.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/document.h"
#include "mcp/reply.h"
#include "mcp/requests.h"
#include "mcp/running.h"
#include "tools/operator.h"
#include "tools/start_words.h"

#include <string.h>

static void ask_policy(struct server *server, struct request *request, const char *option,
                       const char *value, const json_t *operands)
{
	struct beginning how = {.program = "sbx-policy"};
	struct strings words = {0};

	policy_words(&words, server, request);
	if (option)
		strings_add(&words, xstrdup(option));
	if (value)
		strings_add(&words, xstrdup(value));
	if (operands)
		strings_add(&words, xstrdup("--"));
	for (size_t i = 0; i < json_array_size(operands); i++)
		strings_add(&words, xstrdup(json_string_value(json_array_get(operands, i))));
	running_begin(server, request, ASKED_CONFIGURED, &words, &how);
	strings_free(&words);
}

void check_begin(struct server *server, struct request *request)
{
	ask_policy(server, request, "--check-path",
	           json_string_value(json_object_get(request->arguments, "access")),
	           json_object_get(request->arguments, "paths"));
}

/* One object a line. */
static json_t *verdicts_in(char *text, bool *allowed)
{
	json_t *list = xjson(json_array());

	*allowed = true;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		json_t *verdict = json_loads(line, 0, NULL);

		if (!verdict)
			continue;
		*allowed &= json_is_true(json_object_get(verdict, "allowed"));
		json_array_append_new(list, verdict);
	}
	return list;
}

/* What sbx-policy says where it has no answer. */
static bool has_failed(struct server *server, struct request *request, int worst)
{
	size_t len;
	cleanup_free char *why = NULL;

	if (request->job->status <= worst)
		return false;
	why = kept_bytes(&request->job->streams[STREAM_ERR], &len);
	request_failed(server, request, len ? why : "sbx-policy failed");
	return true;
}

void check_look(struct server *server, struct request *request)
{
	cleanup_free char *text = NULL, *lines = NULL;
	json_t *verdicts;
	bool allowed;
	size_t len;

	if (!request->job || !request->job->over || has_failed(server, request, 1))
		return;
	text = kept_bytes(&request->job->streams[STREAM_OUT], &len);
	lines = xstrdup(text);
	verdicts = verdicts_in(lines, &allowed);
	request_result(
	        server, request,
	        tool_result(request->to.version, text, len,
	                    xjson(json_pack("{s:b,s:o}", "allowed", allowed, "verdicts", verdicts)),
	                    false));
}

void explain_begin(struct server *server, struct request *request)
{
	cleanup_json json_t *command = xjson(json_pack("[s]", "true"));

	ask_policy(server, request, NULL, NULL, command);
}

static json_t *explained(const struct server *server, const struct request *request,
                         const json_t *policy)
{
	static const char *const asked[] = {[ASKED_NOBODY] = "nobody",
	                                    [ASKED_CLIENT] = "client",
	                                    [ASKED_APPROVER] = "approver",
	                                    [ASKED_CONFIGURED] = "configured"};
	json_t *narrowed = narrowed_to(server, request);

	return xjson(json_pack("{s:O,s:O,s:O,s:s,s:O,s:O,s:o}", "workspace",
	                       json_object_get(policy, "workspace"), "mode",
	                       json_object_get(json_object_get(policy, "sandbox_policy"), "type"),
	                       "approval_policy", json_object_get(policy, "approval_policy"),
	                       "who_is_asked", asked[operator_asks(server, request, false)],
	                       "permissions", json_object_get(policy, "permissions"),
	                       "writable_roots", json_object_get(policy, "writable_roots"),
	                       "narrowed_to", narrowed ? narrowed : json_null()));
}

/* The data first, then the same command once more for the words. */
void explain_look(struct server *server, struct request *request)
{
	cleanup_free char *text = NULL;
	cleanup_json json_t *doc = NULL;
	size_t len;

	if (!request->job || !request->job->over || has_failed(server, request, 0))
		return;
	text = kept_bytes(&request->job->streams[STREAM_OUT], &len);
	if (request->part) {
		request_result(server, request,
		               tool_result(request->to.version, text, len,
		                           json_incref(request->part), false));
		return;
	}
	doc = json_loads(text, 0, NULL);
	if (!json_is_object(json_object_get(doc, "policy"))) {
		request_failed(server, request, "sbx-policy made no document");
		return;
	}
	request->part = explained(server, request, json_object_get(doc, "policy"));
	ask_policy(server, request, "--explain", NULL, NULL);
}
