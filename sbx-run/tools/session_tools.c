#include "tools/session_tools.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "mcp/reply.h"
#include "mcp/requests.h"
#include "mcp/running.h"
#include "tools/operator.h"
#include "tools/outcome.h"
#include "tools/run_tools.h"
#include "tools/start_words.h"

#include <stdio.h>
#include <string.h>

/* What is typed is shown first, and answered a moment later. */
#define SETTLE_MS 60

/* A terminal's ^D. */
static const char end_of_file[] = "\004";

static int64_t wait_ms(const struct request *request, double otherwise)
{
	const json_t *said = json_object_get(request->arguments, "wait");

	return (int64_t)((said ? json_number_value(said) : otherwise) * 1000);
}

static size_t count_sessions(const struct server *server)
{
	size_t count = 0;

	for (size_t i = 0; i < server->job_count; i++)
		count += server->jobs[i]->name[0] != '\0';
	return count;
}

/* One that is over is forgotten where there is no room for another. */
static bool make_room(struct server *server)
{
	for (size_t i = 0; count_sessions(server) >= SESSIONS_MAX && i < server->job_count; i++)
		if (server->jobs[i]->name[0] && server->jobs[i]->over) {
			running_remove(server, server->jobs[i]);
			return true;
		}
	return count_sessions(server) < SESSIONS_MAX;
}

static void measure(struct beginning *how, const struct request *request)
{
	const json_t *columns = json_object_get(request->arguments, "columns");
	const json_t *rows = json_object_get(request->arguments, "rows");

	how->columns = columns ? (unsigned short)json_integer_value(columns) : 80;
	how->rows = rows ? (unsigned short)json_integer_value(rows) : 24;
}

void session_start(struct server *server, struct request *request)
{
	bool pty = json_is_true(json_object_get(request->arguments, "pty"));
	enum asked asked = operator_asks(server, request, pty);
	struct beginning how = {.program = "sbx-run",
	                        .document = true,
	                        .result = true,
	                        .input = !pty,
	                        .one_stream = true};
	cleanup_free char *why = NULL;
	cleanup_json json_t *document = command_document(server, request, pty, &why);
	struct strings words = {0};
	struct job *job;

	if (!document) {
		request_misused(server, request, why);
		return;
	}
	if (!make_room(server)) {
		request_failed(server, request, "too many sessions: stop some of them");
		return;
	}
	if (pty)
		measure(&how, request);
	run_words(&words, server, request, asked, true);
	job = running_begin(server, request, asked, &words, &how);
	strings_free(&words);
	if (!job)
		return;
	give_document(job, document);
	job->backlog = xcalloc(1, sizeof(*job->backlog));
	snprintf(job->name, sizeof(job->name), "s%lu", ++server->sessions);
	request->until = server->now + wait_ms(request, 1);
}

/* The session that a call names; NULL: it was answered. */
static struct job *named(struct server *server, struct request *request)
{
	const char *name = json_string_value(json_object_get(request->arguments, "session"));

	request->job = running_session(server, name);
	if (!request->job)
		request_misused(server, request, "session: there is no such session");
	return request->job;
}

void session_read(struct server *server, struct request *request)
{
	request->until = server->now + wait_ms(request, 5);
	/* It is looked at after its question, which must not wait for a longer read. */
	named(server, request);
}

/* The end of the input is a key where there is a terminal. */
static bool feed(struct job *job, const char *text, size_t len, bool end)
{
	if (end && job->pty)
		return job_feed(&job->input, text, len) &&
		       job_feed(&job->input, end_of_file, strlen(end_of_file));
	if (!job_feed(&job->input, text, len))
		return false;
	job->input.last |= end;
	return true;
}

void session_write(struct server *server, struct request *request)
{
	const json_t *text = json_object_get(request->arguments, "text");
	bool end = json_is_true(json_object_get(request->arguments, "end"));
	struct job *job = named(server, request);
	const char *bytes = text ? json_string_value(text) : "";

	if (!job)
		return;
	request->until = server->now + wait_ms(request, 1);
	if (job->over || job->input.fd < 0 || job->input.last)
		request_failed(server, request, "the session's input is closed");
	else if (!feed(job, bytes, strlen(bytes), end))
		request_failed(server, request,
		               "the command does not read what was written before");
}

void session_stop(struct server *server, struct request *request)
{
	struct job *job = named(server, request);

	if (!job)
		return;
	job_end(job, server->now);
	session_look(server, request);
}

static size_t most_of(const struct request *request)
{
	const json_t *said = json_object_get(request->arguments, "max_output");

	return said ? (size_t)json_integer_value(said) : 262144;
}

static json_t *result_of(const struct job *job)
{
	json_t *data;

	if (!job->over)
		return json_null();
	data = outcome_data(job);
	/* It was all read as the session's output. */
	json_object_del(data, "stdout");
	json_object_del(data, "stderr");
	json_object_del(data, "left_out");
	return data;
}

static char *in_words(const struct job *job, const char *output, size_t used, const json_t *result,
                      size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	xjson(out);
	if (job->backlog->skipped)
		fprintf(out, "[%llu bytes were dropped]\n",
		        (unsigned long long)job->backlog->skipped);
	fwrite(output, 1, used, out);
	if (used > 0 && output[used - 1] != '\n')
		fputc('\n', out);
	if (job->over) {
		size_t more;
		cleanup_free char *how = outcome_text(job, result, &more);

		fwrite(how, 1, more, out);
	} else {
		fprintf(out, "[session %s runs]\n", job->name);
	}
	if (fclose(out) != 0)
		xjson(NULL);
	return text;
}

static void answer(struct server *server, struct request *request)
{
	struct job *job = request->job;
	struct backlog *backlog = job->backlog;
	size_t ready = backlog_ready(backlog, most_of(request), job->over), len;
	cleanup_json json_t *result = result_of(job);
	const char *output = ready ? backlog->bytes : "";
	cleanup_free char *text = in_words(job, output, ready, result, &len);
	bool failed =
	        request->tool->begin == session_start && job->over && outcome_is_failure(result);
	json_t *data = xjson(json_pack("{s:s,s:b,s:o,s:I,s:b,s:O}", "session", job->name, "running",
	                               !job->over, "output", os_bytes(output, ready), "skipped",
	                               (json_int_t)backlog->skipped, "more", ready < backlog->used,
	                               "result", result));

	backlog_take(backlog, ready);
	request_result(server, request, tool_result(request->to.version, text, len, data, failed));
	if (request->tool->begin == session_stop)
		running_remove(server, job);
}

/* Somebody who is asked is waited for: the time begins when the command does. */
static bool is_asking(const struct request *request)
{
	return request->tool->begin == session_start &&
	       json_array_size(request->job->questions) > 0;
}

/* Enough has come: all there is to read, or what a program that was typed to says at once. */
static bool has_come(const struct server *server, struct request *request)
{
	const struct job *job = request->job;

	if (backlog_ready(job->backlog, most_of(request), false) == 0)
		return false;
	request->again = job->heard_at + SETTLE_MS;
	return request->tool->begin == session_read || server->now >= request->again;
}

void session_look(struct server *server, struct request *request)
{
	const struct job *job = request->job;
	bool stops = request->tool->begin == session_stop;

	request->again = 0;
	if (!job)
		request_failed(server, request, "the session was stopped");
	else if (is_asking(request))
		request->until = server->now + wait_ms(request, 1);
	else if (job->over || (!stops && (has_come(server, request) ||
	                                  (request->until && server->now >= request->until))))
		answer(server, request);
}
