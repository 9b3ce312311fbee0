#include "supervise/host_questions.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "report/questions.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 60000 /* clients wait longer, but not much */
#define GRACE_MS    2000
#define ABORT_MS    1000       /* for the command to end, which then never has the answer */
#define ANSWER_MAX  (4U << 20) /* a document */

static const char *host_of(const struct host_questions *q)
{
	return json_string_value(json_object_get(q->event, "host"));
}

static json_int_t port_of(const struct host_questions *q)
{
	return json_integer_value(json_object_get(q->event, "port"));
}

/* The helper's line holds much more than this. */
static void answer(const struct host_questions *q, int to, bool allow)
{
	cleanup_json json_t *word =
	        xjson(json_pack("{s:O,s:O,s:b}", "host", json_object_get(q->event, "host"), "port",
	                        json_object_get(q->event, "port"), "allow", allow));
	cleanup_free char *text = xjson(json_text_dump(word, JSON_COMPACT));
	cleanup_free char *line = xasprintf("%s\n", text);

	if (send(to, line, strlen(line), MSG_NOSIGNAL) < 0)
		errno = 0;
}

/* ---- the answer ---------------------------------------------------------------- */

static bool gives(const json_t *approval, const char *host, json_int_t port)
{
	const char *decision = json_string_value(json_object_get(approval, "decision"));
	const json_t *hosts = json_object_get(json_object_get(approval, "grant"), "hosts");
	cleanup_free char *wanted = xasprintf("%s:%lld", host, (long long)port);
	const char *given = json_string_value(json_array_get(hosts, 0));

	return decision && strncmp(decision, "approved", 8) == 0 && json_array_size(hosts) == 1 &&
	       given && strcmp(given, wanted) == 0;
}

/* Nobody said anything, or nothing that can be read. */
static json_t *silence(const struct host_questions *q)
{
	return xjson(json_pack("{s:{s:b,s:s,s:s,s:s}}", "approval", "required", 1, "decision",
	                       "denied", "by", "none", "reason",
	                       q->late ? "denied: nobody answered within a minute"
	                               : "denied: there was no answer"));
}

/* Nobody is asked any more; what it was about may still wait. */
static void end_question(struct host_questions *q)
{
	if (q->from >= 0)
		close(q->from);
	free(q->text);
	q->from = -1;
	q->pid = 0;
	q->text = NULL;
	q->used = 0;
	q->late = false;
	if (q->terminal)
		terminal_return(q->terminal);
}

static void forget(struct host_questions *q)
{
	json_decref(q->event);
	q->event = NULL;
	q->aborted = false;
}

/* It is not asked again when the command has ended. */
static void settle(struct host_questions *q, const json_t *doc)
{
	cleanup_free char *place = xasprintf("%s:%lld", host_of(q), (long long)port_of(q));

	questions_add(q->asked, doc);
	json_object_set_new(q->settled, place, json_true());
}

static void conclude(struct host_questions *q, int to)
{
	cleanup_json json_t *doc = q->late ? NULL : json_loadb(q->text, q->used, 0, NULL);
	const json_t *approval = json_object_get(doc, "approval");
	const char *decision;
	bool allow;

	if (!json_is_object(approval)) {
		json_decref(doc);
		doc = silence(q);
		approval = json_object_get(doc, "approval");
		complain("%s:%lld: %s", host_of(q), (long long)port_of(q),
		         json_string_value(json_object_get(approval, "reason")));
	}
	decision = json_string_value(json_object_get(approval, "decision"));
	allow = !json_object_get(doc, "error") && gives(approval, host_of(q), port_of(q));
	settle(q, doc);
	end_question(q);
	/* As with ^C at the command, which is to end before it could go on with an answer. */
	q->aborted = decision && strcmp(decision, "abort") == 0;
	if (q->aborted) {
		kill(q->command, SIGINT);
		q->deadline = now_ms() + ABORT_MS;
		return;
	}
	answer(q, to, allow);
	forget(q);
}

static void refuse(struct host_questions *q, int to)
{
	answer(q, to, false);
	forget(q);
}

/* True at its end. */
static bool read_answer(struct host_questions *q)
{
	for (;;) {
		char bytes[4096];
		ssize_t n = read(q->from, bytes, sizeof(bytes));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return false;
		if (n <= 0 || q->used + (size_t)n > ANSWER_MAX)
			return true;
		q->text = xrealloc_array(q->text, q->used + (size_t)n, 1);
		memcpy(q->text + q->used, bytes, (size_t)n);
		q->used += (size_t)n;
	}
}

/* ---- the question --------------------------------------------------------------- */

static json_t *question(const struct host_questions *q)
{
	json_t *doc = xjson(json_copy(q->doc));
	cleanup_json json_t *waiting = xjson(json_copy(q->event));
	json_t *grant = json_object_get(json_object_get(q->doc, "approval"), "grant");
	json_t *result;

	json_object_del(waiting, "event");
	result = xjson(json_pack("{s:O}", "waiting", waiting));
	/* What the command can write beyond the policy: nothing of that is to be believed. */
	if (json_is_object(grant))
		json_object_set(result, "granted", grant);
	json_object_set_new(doc, "result", result);
	json_object_del(doc, "approval");
	json_object_del(doc, "exec");
	json_object_del(doc, "sandbox");
	return doc;
}

static void ask(struct host_questions *q, int to)
{
	cleanup_json json_t *doc = question(q);
	struct error err = {0};

	if (q->terminal && !terminal_borrow(q->terminal)) {
		error_set(&err, EXIT_DENIED, "no-terminal", "the terminal is somebody else's now");
		q->pid = -1;
	} else {
		q->pid = q->start(q->context, doc, &q->from, &err);
	}
	if (q->pid < 0 || fcntl(q->from, F_SETFL, O_NONBLOCK) < 0) {
		complain("%s:%lld: not asked about: %s", host_of(q), (long long)port_of(q),
		         err.exit ? err.message : strerror(errno));
		end_question(q);
		refuse(q, to);
		return;
	}
	q->deadline = now_ms() + PATIENCE_MS;
}

int host_questions_fd(const struct host_questions *q)
{
	return q->event ? q->from : -1;
}

int64_t host_questions_due(const struct host_questions *q)
{
	return q->event ? q->deadline : -1;
}

/* It gives the terminal back by itself, and has a moment for it. */
static void hurry(struct host_questions *q)
{
	kill(q->pid, q->late ? SIGKILL : SIGTERM);
	kill(q->pid, SIGCONT);
	q->late = true;
	q->deadline = now_ms() + GRACE_MS;
}

void host_questions_step(struct host_questions *q, json_t *asks, int to)
{
	if (q->aborted) {
		if (now_ms() >= q->deadline)
			refuse(q, to);
	} else if (q->event && read_answer(q)) {
		conclude(q, to);
	} else if (q->event && now_ms() >= q->deadline) {
		hurry(q);
	}
	while (!q->event && json_array_size(asks) > 0) {
		q->event = json_incref(json_array_get(asks, 0));
		json_array_remove(asks, 0);
		ask(q, to);
	}
}

/* Whoever has the terminal by now: the question is to leave it as it was. */
static void end_approve(struct host_questions *q)
{
	const struct timespec moment = {.tv_nsec = 2000000};

	if (q->terminal)
		terminal_hold(q->terminal);
	hurry(q);
	while (waitpid(q->pid, NULL, WNOHANG) == 0) {
		nanosleep(&moment, NULL);
		if (now_ms() >= q->deadline)
			hurry(q);
	}
}

/* It is too late for an answer. */
static void give_up(struct host_questions *q)
{
	cleanup_json json_t *unanswered = NULL;

	end_approve(q);
	q->late = false;
	unanswered = silence(q);
	settle(q, unanswered);
	end_question(q);
}

void host_questions_end(struct host_questions *q, int to)
{
	if (!q->event)
		return;
	if (!q->aborted)
		give_up(q);
	if (to >= 0)
		answer(q, to, false);
	forget(q);
}
