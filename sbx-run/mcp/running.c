#include "mcp/running.h"

#include "base/clock.h"
#include "base/memory.h"
#include "mcp/ask_client.h"
#include "mcp/requests.h"
#include "mcp/suspend.h"
#include "process/descendants.h"
#include "process/this_kernel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* How much of each stream an answer has, unless the call says it. */
#define OUTPUT_MAX 262144
/* A question is much smaller. */
#define LINE_MAX_SAID ((size_t)1 << 20)

static size_t output_max(const struct request *request)
{
	const json_t *said = json_object_get(request->arguments, "max_output");

	return said ? (size_t)json_integer_value(said) : OUTPUT_MAX;
}

struct job *running_begin(struct server *server, struct request *request, enum asked asked,
                          const struct strings *words, struct beginning *how)
{
	struct error err = {0};
	struct job *job;

	if (server->job_count >= JOBS_MAX) {
		request_failed(server, request,
		               "too many commands run at the same time: wait for "
		               "some of them, or stop sessions");
		return NULL;
	}
	job = job_new();
	job->asked = asked;
	job->later = request->to.version >= VERSION_2026_07;
	kept_begin(&job->streams[STREAM_OUT], output_max(request));
	kept_begin(&job->streams[STREAM_ERR], output_max(request));
	how->argv = words->items;
	how->approver = asked == ASKED_CLIENT || asked == ASKED_NOBODY;
	if (job_begin(job, how, &err) < 0) {
		request_failed(server, request, err.message);
		job_free(job);
		return NULL;
	}
	list_add(server->jobs, server->job_count, job);
	request->job = job;
	return job;
}

void running_remove(struct server *server, struct job *job)
{
	withdraw(server, job, NULL);
	suspended_forget(server, job);
	for (size_t i = 0; i < server->request_count; i++)
		if (server->requests[i]->job == job)
			server->requests[i]->job = NULL;
	for (size_t i = 0; i < server->job_count; i++)
		if (server->jobs[i] == job) {
			server->jobs[i] = server->jobs[--server->job_count];
			job_free(job);
			return;
		}
}

struct job *running_session(const struct server *server, const char *name)
{
	for (size_t i = 0; name && i < server->job_count; i++)
		if (server->jobs[i]->name[0] && strcmp(server->jobs[i]->name, name) == 0)
			return server->jobs[i];
	return NULL;
}

static void take_question(struct server *server, struct job *job, json_t *said)
{
	const char *type = json_string_value(json_object_get(said, "type"));
	const json_t *id = json_object_get(said, "id");

	if (!type || !json_is_string(id))
		return;
	if (strcmp(type, "cancel") != 0) {
		json_array_append(job->questions, said);
		return;
	}
	withdraw(server, job, id);
	for (size_t i = json_array_size(job->questions); i-- > 0;)
		if (json_equal(json_object_get(json_array_get(job->questions, i), "id"), id))
			json_array_remove(job->questions, i);
}

static void take_lines(struct server *server, struct job *job)
{
	char *end;

	while (job->lines_used > 0 && (end = memchr(job->lines, '\n', job->lines_used)) != NULL) {
		size_t len = (size_t)(end - job->lines);
		json_t *said = json_loadb(job->lines, len, JSON_REJECT_DUPLICATES, NULL);

		if (said)
			take_question(server, job, said);
		json_decref(said);
		job->lines_used -= len + 1;
		memmove(job->lines, end + 1, job->lines_used);
	}
	/* No question is as long; what it waits for is then refused. */
	if (job->lines_used > LINE_MAX_SAID)
		job_end(job, server->now);
}

void running_questions(struct server *server)
{
	for (size_t i = 0; i < server->job_count; i++) {
		struct job *job = server->jobs[i];
		json_t *question;

		take_lines(server, job);
		while (job->asked == ASKED_NOBODY &&
		       (question = json_array_get(job->questions, 0)) != NULL)
			answer_question(job, question, NULL);
	}
}

static struct job *job_of(const struct server *server, pid_t pid)
{
	for (size_t i = 0; i < server->job_count; i++)
		if (server->jobs[i]->pid == pid)
			return server->jobs[i];
	return NULL;
}

/* What a command left behind that was killed with its supervisor. */
static void kill_strays(struct server *server)
{
	size_t most = server->before.foreign_count + server->job_count + 1;
	struct tree known = {.foreign = xmalloc(most * sizeof(pid_t))};

	known.foreign[known.foreign_count++] = server->keeper;
	for (size_t i = 0; i < server->before.foreign_count; i++)
		known.foreign[known.foreign_count++] = server->before.foreign[i];
	for (size_t i = 0; i < server->job_count; i++)
		if (server->jobs[i]->pid > 0)
			known.foreign[known.foreign_count++] = server->jobs[i]->pid;
	server->strays = tree_kill(&known, 0) > 0;
	tree_free(&known);
}

void running_reap(struct server *server)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct job *job = job_of(server, pid);

		/* By a signal: then there may be something of it that lives on. */
		server->strays |= !job || WIFSIGNALED(status);
		if (job)
			job_ended(job, WIFSIGNALED(status) ? 128 + WTERMSIG(status)
			                                   : WEXITSTATUS(status));
	}
	if (server->strays)
		kill_strays(server);
}

static bool is_wanted(const struct server *server, const struct job *job)
{
	if (job->name[0] || !job->over)
		return true;
	for (size_t i = 0; i < server->request_count; i++)
		if (server->requests[i]->job == job)
			return true;
	for (size_t i = 0; i < server->suspended_count; i++)
		if (server->suspended[i].job == job)
			return true;
	return false;
}

void running_sweep(struct server *server)
{
	for (size_t i = server->job_count; i-- > 0;) {
		struct job *job = server->jobs[i];

		if (job->kill_at && job->pid > 0 && server->now >= job->kill_at)
			job_kill(job);
		if (!is_wanted(server, job))
			running_remove(server, job);
	}
}

int64_t running_until(const struct server *server)
{
	int64_t first = server->strays ? server->now + 20 : 0;

	for (size_t i = 0; i < server->job_count; i++) {
		int64_t at = server->jobs[i]->pid > 0 ? server->jobs[i]->kill_at : 0;

		if (at && (!first || at < first))
			first = at;
	}
	return first;
}

static bool any_runs(const struct server *server)
{
	for (size_t i = 0; i < server->job_count; i++)
		if (server->jobs[i]->pid > 0)
			return true;
	return false;
}

void running_end(struct server *server, int signals)
{
	struct pollfd fd = {.fd = signals, .events = POLLIN};
	int number;
	bool keyboard;

	for (size_t i = 0; i < server->job_count; i++)
		job_end(server->jobs[i], now_ms());
	while (any_runs(server) || server->strays) {
		poll(&fd, 1, 20);
		while (kernel_signal_read(signals, &number, &keyboard))
			;
		server->now = now_ms();
		/* What they still print is read, so that they can end. */
		for (size_t i = 0; i < server->job_count; i++)
			if (server->jobs[i]->pid > 0)
				job_moves(server->jobs[i], false);
		running_reap(server);
		for (size_t i = 0; i < server->job_count; i++)
			if (server->jobs[i]->pid > 0 && server->now >= server->jobs[i]->kill_at)
				job_kill(server->jobs[i]);
	}
}
