#include "mcp/requests.h"

#include "base/memory.h"
#include "jobs/characters.h"
#include "mcp/reply.h"

#include <string.h>

struct request *request_add(struct server *server, const struct addressee *to)
{
	struct request *request;

	if (server->request_count >= REQUESTS_MAX)
		return NULL;
	request = xcalloc(1, sizeof(*request));
	request->to = *to;
	request->to.id = json_incref(to->id);
	request->log_level = LOG_NEVER;
	list_add(server->requests, server->request_count, request);
	return request;
}

struct request *request_find(const struct server *server, const json_t *id)
{
	for (size_t i = 0; id && i < server->request_count; i++)
		if (!server->requests[i]->answered && json_equal(server->requests[i]->to.id, id))
			return server->requests[i];
	return NULL;
}

void request_result(struct server *server, struct request *request, json_t *result)
{
	reply_result(server, &request->to, result);
	request->answered = true;
}

void request_failed(struct server *server, struct request *request, const char *why)
{
	request_result(server, request,
	               tool_result(request->to.version, why, strlen(why), NULL, true));
}

void request_error(struct server *server, struct request *request, int code, const char *why)
{
	reply_error(server, &request->to, (enum rpc_error)code, why, NULL);
	request->answered = true;
}

void request_misused(struct server *server, struct request *request, const char *why)
{
	/* A model reads results, and does better the next time. */
	if (request->to.version >= VERSION_2025_11)
		request_failed(server, request, why);
	else
		request_error(server, request, RPC_WRONG_PARAMS, why);
}

void request_cancel(struct server *server, struct request *request)
{
	reply_nothing(server, &request->to);
	request->answered = true;
}

static void request_free(struct request *request)
{
	json_decref(request->to.id);
	json_decref(request->arguments);
	json_decref(request->capabilities);
	json_decref(request->token);
	json_decref(request->roots);
	json_decref(request->responses);
	json_decref(request->state);
	json_decref(request->part);
	free(request);
}

void requests_sweep(struct server *server)
{
	size_t kept = 0;

	for (size_t i = 0; i < server->request_count; i++) {
		if (server->requests[i]->answered)
			request_free(server->requests[i]);
		else
			server->requests[kept++] = server->requests[i];
	}
	server->request_count = kept;
}

void requests_free(struct server *server)
{
	for (size_t i = 0; i < server->request_count; i++) {
		if (!server->requests[i]->answered)
			request_cancel(server, server->requests[i]);
		request_free(server->requests[i]);
	}
	free(server->requests);
	server->requests = NULL;
	server->request_count = 0;
}
