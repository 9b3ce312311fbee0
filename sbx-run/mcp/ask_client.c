#include "mcp/ask_client.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "mcp/form.h"
#include "mcp/reply.h"
#include "mcp/roots.h"

#include <string.h>
#include <sys/socket.h>

/* A client that can say where it works says so at once. */
#define ROOTS_MS 10000

static json_int_t ask(struct server *server, const char *method, json_t *params)
{
	json_t *message = xjson(json_pack("{s:s,s:I,s:s}", "jsonrpc", "2.0", "id", ++server->asked,
	                                  "method", method));

	if (params)
		json_object_set_new(message, "params", params);
	outbox_add(&server->out, message);
	json_decref(message);
	return server->asked;
}

static void remember(struct server *server, json_int_t number, struct job *job, json_t *question)
{
	list_add(server->ours, server->ours_count,
	         (struct ours){number, job, json_incref(question)});
}

static void forget(struct server *server, size_t i)
{
	json_decref(server->ours[i].question);
	server->ours[i] = server->ours[--server->ours_count];
}

void ask_for_roots(struct server *server)
{
	if (!client_has(server->capabilities, "roots"))
		return;
	/* The answer to an earlier one would be old. */
	for (size_t i = server->ours_count; i-- > 0;)
		if (!server->ours[i].job)
			forget(server, i);
	server->roots_state = ROOTS_UNKNOWN;
	server->roots_until = server->now + ROOTS_MS;
	remember(server, ask(server, "roots/list", NULL), NULL, NULL);
}

static bool is_asked(const struct server *server, const struct job *job)
{
	for (size_t i = 0; i < server->ours_count; i++)
		if (server->ours[i].job == job)
			return true;
	return false;
}

void ask_for_approvals(struct server *server)
{
	for (size_t i = 0; i < server->job_count; i++) {
		struct job *job = server->jobs[i];
		json_t *question = json_array_get(job->questions, 0);

		/* One at a time; where the client has to come to us, it does. */
		if (!question || job->asked != ASKED_CLIENT || job->later || is_asked(server, job))
			continue;
		remember(server, ask(server, "elicitation/create", form_params(question)), job,
		         question);
	}
}

void withdraw(struct server *server, const struct job *job, const json_t *id)
{
	for (size_t i = server->ours_count; i-- > 0;) {
		const struct ours *ours = &server->ours[i];

		if (ours->job != job ||
		    (id && !json_equal(id, json_object_get(ours->question, "id"))))
			continue;
		notify(server, "notifications/cancelled",
		       xjson(json_pack("{s:I,s:s}", "requestId", ours->number, "reason",
		                       "not waited for any more")));
		forget(server, i);
	}
}

void answer_question(struct job *job, const json_t *question, const json_t *result)
{
	cleanup_json json_t *answer = job->asked == ASKED_NOBODY ? form_refusal(question, job->pty)
	                                                         : form_answer(question, result);
	cleanup_free char *text = xjson(json_text_dump(answer, JSON_COMPACT));
	cleanup_free char *line = xasprintf("%s\n", text);
	size_t len = strlen(line);

	for (size_t i = 0; i < json_array_size(job->questions); i++)
		if (json_array_get(job->questions, i) == question) {
			json_array_remove(job->questions, i);
			break;
		}
	/* A line that is cut ends the conversation, and everything in it is refused. */
	if (job->approver >= 0 && send(job->approver, line, len, MSG_NOSIGNAL) != (ssize_t)len)
		shutdown(job->approver, SHUT_RDWR);
}

static void take_roots(struct server *server, const json_t *result)
{
	json_t *roots = roots_read(result);

	json_decref(server->roots);
	server->roots = roots;
	server->roots_state = roots ? ROOTS_KNOWN : ROOTS_REFUSED;
	/* Many a client has roots and none of them: who wonders finds this in its log. */
	if (roots && json_array_size(roots) == 0)
		complain("the client works in no directory (its roots are an empty list): nothing "
		         "in the workspace is writable");
}

void client_answered(struct server *server, const json_t *id, const json_t *result)
{
	for (size_t i = 0; i < server->ours_count; i++) {
		struct job *job = server->ours[i].job;

		if (!json_is_integer(id) || json_integer_value(id) != server->ours[i].number)
			continue;
		if (job)
			answer_question(job, server->ours[i].question, result);
		else
			take_roots(server, result);
		forget(server, i);
		return;
	}
}
