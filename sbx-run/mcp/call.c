#include "mcp/call.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "mcp/ask_client.h"
#include "mcp/reply.h"
#include "mcp/requests.h"
#include "mcp/roots.h"
#include "mcp/suspend.h"
#include "rpc/fits.h"
#include "rpc/message.h"
#include "tools/listed_tools.h"
#include "tools/news.h"
#include "tools/policy_tools.h"
#include "tools/run_tools.h"
#include "tools/session_tools.h"

#include <string.h>

static const struct tool tools[] = {
        {"run", run_begin, run_look, true, false},
        {"apply_patch", patch_begin, run_look, true, false},
        {"check_path", check_begin, check_look, true, true},
        {"explain_policy", explain_begin, explain_look, true, true},
        {"start", session_start, session_look, true, false},
        {"read", session_read, session_look, false, false},
        {"write", session_write, session_look, false, false},
        {"stop", session_stop, session_look, false, false},
};

static const struct tool *find_tool(const char *name)
{
	for (size_t i = 0; name && i < sizeof(tools) / sizeof(tools[0]); i++)
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	return NULL;
}

/* What counts for this call: said in it, or for the whole connection. */
static void read_context(const struct server *server, struct request *request, json_t *params)
{
	const json_t *meta = json_object_get(params, "_meta");
	json_t *token = json_object_get(meta, "progressToken");

	if (json_is_string(token) || json_is_integer(token))
		request->token = json_incref(token);
	if (request->to.version < VERSION_2026_07) {
		request->capabilities = json_incref(server->capabilities);
		request->log_level = server->log_level;
		return;
	}
	request->capabilities =
	        json_incref(json_object_get(meta, "io.modelcontextprotocol/clientCapabilities"));
	request->log_level =
	        log_level_of(json_object_get(meta, "io.modelcontextprotocol/logLevel"));
	request->responses = json_incref(json_object_get(params, "inputResponses"));
	request->state = json_incref(json_object_get(params, "requestState"));
}

/* Where the client works, from then on; false: not known yet, or it was answered. */
static bool take_roots(struct server *server, struct request *request)
{
	if (!client_has(request->capabilities, "roots"))
		return true;
	if (request->to.version < VERSION_2026_07) {
		if (server->roots_state == ROOTS_KNOWN) {
			request->roots = json_incref(server->roots);
			return true;
		}
		if (server->roots_state != ROOTS_UNKNOWN || server->now >= server->roots_until)
			request_failed(server, request,
			               "the client declared roots and does not list them: nothing "
			               "runs before it does");
		return false;
	}
	if (!state_is_roots(request)) {
		suspend_for_roots(server, request);
		return false;
	}
	request->roots = roots_read(json_object_get(request->responses, "roots"));
	if (!request->roots)
		request_error(server, request, RPC_WRONG_PARAMS,
		              "inputResponses.roots: expected the result of roots/list");
	return request->roots != NULL;
}

static void begin(struct server *server, struct request *request)
{
	if (request->state && !state_is_roots(request)) {
		request->begun = resume(server, request);
		if (!request->begun)
			request_error(server, request, RPC_WRONG_PARAMS,
			              "requestState: unknown, of another call, or too old");
		return;
	}
	if (request->tool->waits_for_roots && !take_roots(server, request))
		return;
	request->begun = true;
	request->tool->begin(server, request);
}

static void look(struct server *server, struct request *request)
{
	if (!request->begun)
		begin(server, request);
	if (!request->begun || request->answered)
		return;
	send_news(server, request);
	if (request->job && request->job->later && json_array_size(request->job->questions) > 0 &&
	    request->to.version >= VERSION_2026_07 &&
	    client_has(request->capabilities, "elicitation"))
		suspend(server, request);
	if (!request->answered)
		request->tool->look(server, request);
}

void call_tool(struct server *server, const struct addressee *to, json_t *params)
{
	const struct tool *tool = find_tool(plain_text(json_object_get(params, "name")));
	json_t *arguments = json_object_get(params, "arguments");
	struct request *request;
	cleanup_free char *wrong = NULL;

	if (!tool || (arguments && !json_is_object(arguments))) {
		reply_error(server, to, RPC_WRONG_PARAMS,
		            tool ? "arguments: expected an object" : "name: there is no such tool",
		            NULL);
		return;
	}
	request = request_add(server, to);
	if (!request) {
		reply_error(server, to, RPC_FAILED, "too many calls at the same time", NULL);
		return;
	}
	request->tool = tool;
	request->arguments = arguments ? json_incref(arguments) : xjson(json_object());
	read_context(server, request, params);
	wrong = misfit(tool_takes(server->tools, tool->name), request->arguments, "arguments");
	if (wrong)
		request_misused(server, request, wrong);
	else
		look(server, request);
}

/* A session outlives the calls that look at it, but not the one that starts it. */
void call_cancelled(struct server *server, const json_t *id)
{
	struct request *request = request_find(server, id);
	struct job *job = request ? request->job : NULL;

	if (!request)
		return;
	if (job && (!job->name[0] || request->tool->begin == session_start)) {
		withdraw(server, job, NULL);
		job_end(job, server->now);
	}
	request_cancel(server, request);
}

bool calls_end(struct server *server)
{
	bool any = false;

	for (size_t i = 0; i < server->request_count; i++) {
		struct request *request = server->requests[i];

		if (request->answered)
			continue;
		if (request->begun && request->tool->brief) {
			any = true;
			continue;
		}
		if (request->job) {
			withdraw(server, request->job, NULL);
			job_end(request->job, server->now);
		}
		request_failed(server, request,
		               "the client closed its end before this was over: it was ended");
	}
	requests_sweep(server);
	return any;
}

void calls_look(struct server *server)
{
	for (size_t i = 0; i < server->request_count; i++)
		if (!server->requests[i]->answered)
			look(server, server->requests[i]);
	requests_sweep(server);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return !a || (b && b < a) ? b : a;
}

int64_t calls_until(const struct server *server)
{
	int64_t first = 0;

	for (size_t i = 0; i < server->request_count; i++) {
		const struct request *request = server->requests[i];
		int64_t until = request->begun ? request->until : server->roots_until;

		first = earlier(earlier(first, until), request->again);
	}
	return first;
}
