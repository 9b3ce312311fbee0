#include "mcp/serve.h"

#include "base/clock.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/stage.h"
#include "jobs/begin_job.h"
#include "mcp/ask_client.h"
#include "mcp/call.h"
#include "mcp/keeper.h"
#include "mcp/methods.h"
#include "mcp/requests.h"
#include "mcp/running.h"
#include "mcp/suspend.h"
#include "process/this_kernel.h"
#include "tools/listed_tools.h"
#include "tools/news.h"
#include "tools/operator.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* How long the client may take for the last of what it is told. */
#define LAST_WORDS_MS 1000

/* What it asked before it closed its end is answered, if that takes no longer. */
#define LAST_CALLS_MS 5000

enum { AT_SIGNALS, AT_CLIENT, AT_OUTBOX, AT_JOBS };

struct waiting {
	struct pollfd fds[AT_JOBS + JOBS_MAX * JOB_FDS];
	size_t count;
	size_t jobs[JOBS_MAX + 1]; /* where the fds of each begin */
};

static bool is_full(const struct server *server)
{
	return outbox_waiting(&server->out) >= OUTBOX_FULL;
}

static void gather(const struct server *server, int signals, struct waiting *w)
{
	bool full = is_full(server);

	w->fds[AT_SIGNALS] = (struct pollfd){.fd = signals, .events = POLLIN};
	w->fds[AT_CLIENT] = (struct pollfd){.fd = full || server->in.ended ? -1 : server->in.fd,
	                                    .events = POLLIN};
	/* That it has gone is seen here, too. */
	w->fds[AT_OUTBOX] = (struct pollfd){
	        .fd = server->out.fd, .events = outbox_waiting(&server->out) > 0 ? POLLOUT : 0};
	w->count = AT_JOBS;
	for (size_t i = 0; i < server->job_count; i++) {
		w->jobs[i] = w->count;
		if (!full)
			w->count += job_polls(server->jobs[i], w->fds + w->count);
	}
	w->jobs[server->job_count] = w->count;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return !a || (b && b < a) ? b : a;
}

static int patience(const struct server *server)
{
	int64_t until =
	        earlier(earlier(running_until(server), suspended_until(server)), server->leaves_at);
	int64_t left;

	/* What a client that does not read would be told waits for it, not for a time. */
	if (!is_full(server))
		until = earlier(until, earlier(calls_until(server), news_until(server)));
	left = until - now_ms();

	if (!until)
		return -1;
	return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
}

static void move_jobs(struct server *server, const struct waiting *w)
{
	for (size_t i = 0; i < server->job_count; i++) {
		struct job *job = server->jobs[i];
		uint64_t before = job->printed;
		bool moves = false;

		for (size_t k = w->jobs[i]; k < w->jobs[i + 1]; k++)
			moves |= w->fds[k].revents != 0;
		if (moves)
			job_moves(job, !job->backlog && news_are_heard(server, job));
		if (job->printed != before)
			job->heard_at = server->now;
	}
}

static void hear_signals(struct server *server, int signals)
{
	bool keyboard;
	int number;

	while (kernel_signal_read(signals, &number, &keyboard))
		server->ending |= number != SIGCHLD;
	running_reap(server);
}

static void hear_client(struct server *server)
{
	const char *text;
	enum line line;
	size_t len;

	while (!is_full(server) && (line = incoming_next(&server->in, &text, &len)) != LINE_NONE) {
		if (line == LINE_WHOLE)
			line_heard(server, text, len);
		else
			long_line_heard(server);
	}
}

/* Everything that can go on does, until something new is needed. */
static void go_on(struct server *server)
{
	hear_client(server);
	running_questions(server);
	suspended_expire(server);
	if (!is_full(server))
		calls_look(server);
	ask_for_approvals(server);
	running_sweep(server);
}

/*
 * A person who tries it pipes lines into it, and a client that ends closes this end first: what
 * is only to be said is, and nothing that was begun goes on.
 */
static bool is_left(struct server *server)
{
	if (!server->in.ended)
		return false;
	if (!server->leaves_at)
		server->leaves_at = server->now + LAST_CALLS_MS;
	if (server->now >= server->leaves_at)
		return true;
	/* Some of its lines may not have been read. */
	return !is_full(server) && !calls_end(server);
}

static void serve_client(struct server *server, int signals)
{
	struct waiting w;

	while (!server->ending && !server->out.broken) {
		gather(server, signals, &w);
		if (poll(w.fds, (nfds_t)w.count, patience(server)) < 0 && errno != EINTR)
			return;
		server->now = now_ms();
		if (w.fds[AT_OUTBOX].revents)
			outbox_push(&server->out);
		if (w.fds[AT_OUTBOX].revents & (POLLERR | POLLHUP | POLLNVAL))
			return;
		if (w.fds[AT_CLIENT].revents)
			incoming_fill(&server->in);
		move_jobs(server, &w);
		hear_signals(server, signals);
		go_on(server);
		if (is_left(server))
			return;
	}
}

static void say_the_last(struct server *server)
{
	int64_t until = now_ms() + LAST_WORDS_MS;
	struct pollfd fd = {.fd = server->out.fd, .events = POLLOUT};

	while (!server->out.broken && outbox_waiting(&server->out) > 0 && now_ms() < until)
		if (poll(&fd, 1, 50) > 0)
			outbox_push(&server->out);
}

static int take_signals(struct error *err)
{
	static const int taken[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaddset(&set, taken[i]);
	signal(SIGPIPE, SIG_IGN);
	return kernel_signal_fd(&set, err);
}

static int begin(struct server *server, int *signals, struct error *err)
{
	if (operator_begin(server, err) < 0 || keeper_begin(server, err) < 0 ||
	    set_client_apart(&server->in.fd, &server->out.fd, err) < 0)
		return -1;
	*signals = take_signals(err);
	server->tools = tools_load();
	return *signals < 0 ? -1 : 0;
}

static void server_free(struct server *server)
{
	requests_free(server);
	while (server->job_count > 0)
		running_remove(server, server->jobs[0]);
	free(server->jobs);
	free(server->ours);
	free(server->suspended);
	incoming_free(&server->in);
	outbox_free(&server->out);
	tree_free(&server->before);
	json_decref(server->policy);
	json_decref(server->tools);
	json_decref(server->capabilities);
	json_decref(server->roots);
}

int mcp_serve(const struct arguments *arguments)
{
	struct server server = {.arguments = arguments, .log_level = LOG_NEVER, .now = now_ms()};
	struct error err = {0};
	int signals = -1, status = 0;
	bool typed = isatty(STDIN_FILENO); /* another descriptor has it later */

	tree_begin(&server.before);
	if (begin(&server, &signals, &err) < 0) {
		stage_fail(&err);
		status = 125;
	} else {
		/* A person who typed the line that belongs into a client's settings. */
		if (typed)
			complain("waiting for a client of the Model Context Protocol on this "
			         "terminal; ^D ends it");
		serve_client(&server, signals);
		running_end(&server, signals);
		say_the_last(&server);
	}
	keeper_end(&server);
	server_free(&server);
	return status;
}
