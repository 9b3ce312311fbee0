#include "session/open_question.h"

#include "program/answer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "process/spawn.h"
#include "process/this_kernel.h"
#include "session/client.h"
#include "session/inbox_calls.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

void client_stop_asking(struct server *s, struct client *c)
{
	if (c->waiting)
		waiting_drop(&s->waiting, c->fd);
	if (c->asking) {
		/* Its guardian ends the approver and all that it started: see guardian.h. */
		kill(c->asking, SIGKILL);
		spawn_wait(c->asking);
	}
	if (c->answer >= 0)
		close(c->answer);
	free(c->said);
	json_decref(c->message);
	c->asking = 0;
	c->answer = -1;
	c->said = NULL;
	c->said_used = 0;
	c->message = NULL;
	c->held_until = 0;
	c->waiting = false;
}

void client_settle(struct server *s, struct client *c, json_t *answer)
{
	const json_t *message = c->message;
	const json_t *request = json_object_get(message, "request");

	store_add(&s->session->store, json_object_get(message, "binds"), answer,
	          json_object_get(message, "wanted"),
	          !json_is_true(json_object_get(message, "relayed")));
	inbox_note(s, json_object_get(request, "key"), json_object_get(request, "source"), answer);
	client_stop_asking(s, c);
	/* The end of the connection is seen, and it is dropped, in its turn. */
	if (message_send(c->fd, answer) < 0)
		shutdown(c->fd, SHUT_RDWR);
	inbox_tell(s);
}

/* The parent's answer; when it goes away, the request is aborted. */
static json_t *ask_parent(const struct session *session, const json_t *message)
{
	cleanup_json json_t *request = xjson(json_deep_copy(message));
	struct error err = {0};
	cleanup_close int fd = client_connect(session->parent, &err);
	json_t *answer;

	/* What is given to one of us is not given to the session above. */
	json_object_set_new(request, "relayed", json_true());
	if (session->source)
		json_object_set_new(json_object_get(request, "request"), "source",
		                    json_string(session->source));
	answer = fd < 0 ? NULL : client_call(fd, request, &err);
	if (!answer)
		return answer_denied("abort", "the parent session has ended");
	if (answer_decision(answer))
		json_object_set_new(answer, "by", json_string("parent"));
	return answer;
}

static json_t *ask(const struct session *session, const json_t *message)
{
	json_t *answer;

	if (session->approver.place.kind == APPROVER_PROGRAM) {
		answer = answer_from_program(
		        session->approver.place.text, json_object_get(message, "document"),
		        json_object_get(message, "request"), session->limit_ms);
		json_object_set_new(answer, "by", json_string("approver"));
		return answer;
	}
	if (session->parent)
		return ask_parent(session, message);
	return xjson(json_pack("{s:s}", "decision", "nobody"));
}

/* In a process of its own, so that a slow answer holds up nobody else. */
static int start_process(const struct server *s, struct client *c, const json_t *message)
{
	struct error err = {0};
	pid_t parent = getpid(), child;
	int ends[2];

	if (pipe_open(ends, &err) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		cleanup_json json_t *answer = NULL;
		cleanup_free char *text = NULL;
		sigset_t none;

		setpgid(0, 0);
		/* A client must notice when we end it, whoever is being asked meanwhile. */
		close(s->session->listener);
		for (size_t i = 0; i < s->count; i++)
			close(s->clients[i].fd);
		sigemptyset(&none);
		signal(SIGTERM, SIG_DFL);
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (!kernel_die_with_parent(parent, SIGTERM))
			_exit(1);
		answer = ask(s->session, message);
		text = xjson(json_text_dump(answer, JSON_COMPACT));
		for (size_t done = 0, len = strlen(text); done < len;) {
			ssize_t n = write(ends[1], text + done, len - done);

			if (n <= 0)
				_exit(1);
			done += (size_t)n;
		}
		_exit(0);
	}
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return -1;
	}
	setpgid(child, child);
	c->asking = child;
	c->answer = ends[0];
	return 0;
}

/* Nobody else can be asked: as long as somebody sits at an inbox, and for a while. */
static void hold(const struct server *s, struct client *c)
{
	c->held_until = now_ms() + s->session->limit_ms;
}

/* False with err: nobody can be. */
static bool start_asking(struct server *s, struct client *c, struct error *err)
{
	struct session *session = s->session;
	bool nobody = session->approver.place.kind == APPROVER_NOBODY && !session->parent;

	if (nobody && inbox_is_open(s)) {
		hold(s, c);
		return true;
	}
	if (approver_is_connection(&session->approver)) {
		c->waiting =
		        waiting_add(&s->waiting, c->fd, c->message, session->limit_ms, err) == 0;
		return c->waiting;
	}
	if (start_process(s, c, c->message) == 0)
		return true;
	error_set(err, EXIT_DENIED, "no-answer", "the session could not ask");
	return false;
}

json_t *question_begin(struct server *s, struct client *c, json_t *message)
{
	struct error err = {0};

	c->message = json_incref(message);
	c->id = ++s->last_id;
	c->since = (json_int_t)time(NULL);
	if (!start_asking(s, c, &err)) {
		client_stop_asking(s, c);
		return answer_denied("denied", err.message);
	}
	inbox_tell(s);
	return NULL;
}

void question_heed(struct server *s, struct client *c)
{
	cleanup_json json_t *answer = NULL;
	char buffer[4096];
	ssize_t n = read(c->answer, buffer, sizeof(buffer));

	if (n < 0 && errno == EINTR)
		return;
	if (n > 0) {
		c->said = xrealloc_array(c->said, c->said_used + (size_t)n, 1);
		memcpy(c->said + c->said_used, buffer, (size_t)n);
		c->said_used += (size_t)n;
		return;
	}
	answer = c->said ? json_loadb(c->said, c->said_used, 0, NULL) : NULL;
	spawn_wait(c->asking);
	c->asking = 0;
	close(c->answer);
	c->answer = -1;
	if (!answer)
		answer = answer_denied("denied", "the approver ended without an answer");
	if (!answer_decision(answer) && inbox_is_open(s))
		hold(s, c);
	else
		client_settle(s, c, answer);
}

void questions_heed_connection(struct server *s)
{
	json_t *answer;
	int fd;

	while ((fd = waiting_next(&s->waiting, &answer)) >= 0) {
		cleanup_json json_t *taken = answer;
		size_t i = 0;

		while (i < s->count && s->clients[i].fd != fd)
			i++;
		json_object_set_new(taken, "by", json_string("approver"));
		if (i == s->count)
			continue;
		s->clients[i].waiting = false;
		client_settle(s, &s->clients[i], taken);
	}
}

void questions_let_go(struct server *s)
{
	bool open = inbox_is_open(s);
	int64_t now = now_ms();

	for (size_t i = 0; i < s->count; i++) {
		struct client *c = &s->clients[i];

		if (c->held_until && (!open || c->held_until <= now)) {
			cleanup_json json_t *nobody =
			        xjson(json_pack("{s:s}", "decision", "nobody"));

			client_settle(s, c, nobody);
		}
	}
}

int questions_time_left(const struct server *s)
{
	int64_t now = now_ms(), first = -1;
	int connection = waiting_ms(&s->waiting);

	if (connection >= 0)
		first = now + connection;
	for (size_t i = 0; i < s->count; i++) {
		int64_t until = s->clients[i].held_until;

		if (until && (first < 0 || until < first))
			first = until;
	}
	return first < 0 ? -1 : first > now ? (int)(first - now) : 0;
}
