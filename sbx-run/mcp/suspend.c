#include "mcp/suspend.h"

#include "base/memory.h"
#include "base/token.h"
#include "mcp/ask_client.h"
#include "mcp/form.h"
#include "mcp/requests.h"
#include "rpc/message.h"

#include <string.h>

/* How long a person may take. */
#define AWAY_MS 600000

static const char approval[] = "approval", roots[] = "roots";

static void answer_with(struct server *server, struct request *request, const char *name,
                        const char *method, json_t *params, const char *state)
{
	request_result(server, request,
	               xjson(json_pack("{s:s,s:{s:{s:s,s:o}},s:s}", "resultType", "input_required",
	                               "inputRequests", name, "method", method, "params", params,
	                               "requestState", state)));
}

void suspend(struct server *server, struct request *request)
{
	json_t *question = json_array_get(request->job->questions, 0);
	struct suspended s = {.job = request->job,
	                      .question = json_incref(question),
	                      .tool = request->tool,
	                      .arguments = json_incref(request->arguments),
	                      .until = server->now + AWAY_MS};

	if (!token_make(s.token)) {
		answer_question(request->job, question, NULL);
		json_decref(s.question);
		json_decref(s.arguments);
		return;
	}
	list_add(server->suspended, server->suspended_count, s);
	answer_with(server, request, approval, "elicitation/create", form_params(question),
	            s.token);
	request->job = NULL;
}

static void forget(struct server *server, size_t i)
{
	json_decref(server->suspended[i].question);
	json_decref(server->suspended[i].arguments);
	server->suspended[i] = server->suspended[--server->suspended_count];
}

/* The question may have gone meanwhile, and another one come: that one has no answer yet. */
static void give_answer(struct job *job, const json_t *question, const json_t *answer)
{
	for (size_t i = 0; i < json_array_size(job->questions); i++)
		if (json_array_get(job->questions, i) == question) {
			answer_question(job, question, answer);
			return;
		}
}

bool resume(struct server *server, struct request *request)
{
	const char *token = plain_text(request->state);
	const json_t *answer = json_object_get(request->responses, approval);

	for (size_t i = 0; token && i < server->suspended_count; i++) {
		const struct suspended *s = &server->suspended[i];

		if (strcmp(s->token, token) != 0 || s->tool != request->tool ||
		    !json_equal(s->arguments, request->arguments))
			continue;
		request->job = s->job;
		/* One that does not answer is asked again. */
		if (answer)
			give_answer(s->job, s->question, answer);
		forget(server, i);
		return true;
	}
	return false;
}

/* Of a session the question is refused, and the session goes on; a command ends. */
static void expire(struct server *server, const struct suspended *s)
{
	if (s->job->name[0])
		give_answer(s->job, s->question, NULL);
	else
		job_end(s->job, server->now);
}

void suspended_expire(struct server *server)
{
	for (size_t i = server->suspended_count; i-- > 0;) {
		if (server->suspended[i].until > server->now)
			continue;
		expire(server, &server->suspended[i]);
		forget(server, i);
	}
}

int64_t suspended_until(const struct server *server)
{
	int64_t first = 0;

	for (size_t i = 0; i < server->suspended_count; i++)
		if (!first || server->suspended[i].until < first)
			first = server->suspended[i].until;
	return first;
}

void suspended_forget(struct server *server, const struct job *job)
{
	for (size_t i = server->suspended_count; i-- > 0;)
		if (server->suspended[i].job == job)
			forget(server, i);
}

void suspend_for_roots(struct server *server, struct request *request)
{
	answer_with(server, request, roots, "roots/list", xjson(json_object()), roots);
}

bool state_is_roots(const struct request *request)
{
	const char *state = plain_text(request->state);

	return state && strcmp(state, roots) == 0;
}
