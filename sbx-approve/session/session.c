#include "session/session.h"

#include "ask/answer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "decision_table.h"
#include "document/json_pool.h"
#include "grant/effective.h"
#include "process/spawn.h"
#include "process/this_kernel.h"
#include "session/client.h"
#include "session/other_end.h"
#include "session/scope.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct client {
	int fd;
	char *text; /* of the message that is being read */
	size_t used, room;
	/* While somebody is being asked for it: */
	pid_t asking; /* 0: nobody */
	int answer;   /* where the answer comes from, or -1 */
	char *said;   /* so far */
	size_t said_used;
	json_t *binds, *wanted;
	bool relayed; /* by a session below */
};

struct server {
	struct session *session;
	struct client *clients;
	size_t count;
};

static void stop_asking(struct client *c)
{
	if (c->asking) {
		/* Its guardian ends the approver and all that it started: see guardian.h. */
		kill(c->asking, SIGKILL);
		spawn_wait(c->asking);
	}
	if (c->answer >= 0)
		close(c->answer);
	free(c->said);
	json_decref(c->binds);
	json_decref(c->wanted);
	c->asking = 0;
	c->answer = -1;
	c->said = NULL;
	c->said_used = 0;
	c->binds = c->wanted = NULL;
}

static void drop(struct server *s, size_t i)
{
	struct client *c = &s->clients[i];

	stop_asking(c);
	close(c->fd);
	free(c->text);
	s->clients[i] = s->clients[--s->count];
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

	if (session->approver) {
		answer =
		        answer_from_program(session->approver, json_object_get(message, "document"),
		                            json_object_get(message, "request"), session->limit_ms);
		json_object_set_new(answer, "by", json_string("approver"));
		return answer;
	}
	if (session->parent)
		return ask_parent(session, message);
	return xjson(json_pack("{s:s}", "decision", "nobody"));
}

/* In a process of its own, so that a slow answer holds up nobody else. */
static int start_asking(const struct server *s, struct client *c, const json_t *message)
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
	c->binds = json_incref(json_object_get(message, "binds"));
	c->wanted = json_incref(json_object_get(message, "wanted"));
	c->relayed = json_is_true(json_object_get(message, "relayed"));
	return 0;
}

static bool asks_again(const json_t *message)
{
	const json_t *bind = json_array_get(json_object_get(message, "binds"), 0);
	const char *want = json_string_value(json_object_get(bind, "want"));

	return want && strcmp(want, want_names[WANT_RETRY]) == 0;
}

/* What every command here is given is no question when one says that it needs it. */
static json_t *given_to_all(const struct session *session, const json_t *message)
{
	const json_t *bind = json_array_get(json_object_get(message, "binds"), 0);
	const char *want = json_string_value(json_object_get(bind, "want"));
	cleanup_json json_t *scope = scope_grant(session->store.approvals, bind);
	cleanup_grant struct grant grant = GRANT_NOTHING, wanted = GRANT_NOTHING;
	json_t *asked = json_object_get(message, "wanted");
	struct error err = {0};

	if (!want || strcmp(want, want_names[WANT_MORE]) != 0 || !scope ||
	    grant_get(scope, &grant, &err) < 0 || grant_get(asked, &wanted, &err) < 0)
		return NULL;
	grant_make_canonical(&wanted);
	return !grant_includes(&grant, &wanted)
	               ? NULL
	               : xjson(json_pack("{s:s,s:s,s:O}", "decision", "approved_for_session", "by",
	                                 "cache", "grant", asked));
}

static json_t *cached(const struct session *session, const json_t *message)
{
	json_t *found = store_find(&session->store, json_object_get(message, "binds"),
	                           json_object_get(message, "files"));
	const json_t *given = json_object_get(found, "grant");
	const json_t *asked = json_object_get(message, "wanted");
	cleanup_grant struct grant grant = GRANT_NOTHING, wanted = GRANT_NOTHING;
	struct error err = {0};

	if (asked && grant_get(asked, &wanted, &err) == 0)
		grant_make_canonical(&wanted);
	/* What was given for one denial is no answer to another, nor to one that nothing opens;
	 * nor is it one when something else is there by now. */
	if (given && (err.exit || grant_get(given, &grant, &err) < 0 ||
	              (!asked && !grant.outside && asks_again(message)) ||
	              !grant_includes(&grant, &wanted) ||
	              (!grant.outside && effective_check_grant(&grant, &err) < 0))) {
		json_decref(found);
		return NULL;
	}
	if (!found)
		return given_to_all(session, message);
	json_object_set_new(found, "by", json_string("cache"));
	return found;
}

/* The answer to a message; NULL: it comes later, or is none. */
static json_t *respond(struct server *s, struct client *c, const json_t *message, bool *bad)
{
	struct session *session = s->session;
	const char *op = json_string_value(json_object_get(message, "op"));
	json_t *answer = NULL;

	if (!op) {
		*bad = true;
	} else if (strcmp(op, "hello") == 0) {
		answer = json_deep_copy(session->ceiling);
	} else if (strcmp(op, "lookup") == 0) {
		answer = cached(session, message);
		if (!answer)
			answer = xjson(json_pack("{s:s}", "decision", "nobody"));
	} else if (strcmp(op, "ask") == 0 && json_is_object(json_object_get(message, "request"))) {
		answer = cached(session, message);
		if (!answer && start_asking(s, c, message) < 0)
			answer = answer_denied("denied", "the session could not ask");
	} else if (strcmp(op, "scope") == 0) {
		answer = xjson(json_pack(
		        "{s:o*}", "grant",
		        scope_grant(session->store.approvals, json_object_get(message, "bind"))));
	} else if (strcmp(op, "store") == 0) {
		store_add(&session->store, json_object_get(message, "binds"),
		          json_object_get(message, "answer"), json_object_get(message, "wanted"),
		          true);
		answer = xjson(json_object());
	} else if (strcmp(op, "list") == 0) {
		answer = xjson(json_pack("{s:o}", "decisions", store_list(&session->store)));
	} else if (strcmp(op, "revoke") == 0) {
		answer = xjson(json_pack(
		        "{s:I}", "revoked",
		        (json_int_t)store_revoke(&session->store, json_string_value(json_object_get(
		                                                          message, "key")))));
	} else {
		*bad = true;
	}
	return answer;
}

/* False when the client is to be dropped. */
static bool take_message(struct server *s, struct client *c)
{
	char *end = memchr(c->text, '\n', c->used);
	cleanup_json json_t *message = NULL, *answer = NULL;
	bool bad = false;

	if (!end)
		return c->used < MESSAGE_MAX;
	message = json_loadb(c->text, (size_t)(end - c->text), JSON_REJECT_DUPLICATES, NULL);
	c->used -= (size_t)(end - c->text) + 1;
	memmove(c->text, end + 1, c->used);
	answer = respond(s, c, message, &bad);
	if (bad)
		answer = answer_denied("denied", "the session did not understand");
	if (answer && message_send(c->fd, answer) < 0)
		return false;
	return !bad;
}

static bool read_client(struct server *s, struct client *c)
{
	ssize_t n;

	if (c->room - c->used < 4096) {
		c->room = c->room ? c->room * 2 : 8192;
		c->text = xrealloc_array(c->text, c->room, 1);
	}
	n = recv(c->fd, c->text + c->used, c->room - c->used, MSG_DONTWAIT);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	/* It went away, or talks while it should wait. */
	if (n <= 0 || c->asking)
		return false;
	c->used += (size_t)n;
	do
		if (!take_message(s, c))
			return false;
	while (!c->asking && memchr(c->text, '\n', c->used));
	return true;
}

static bool read_answer(struct server *s, struct client *c)
{
	cleanup_json json_t *answer = NULL;
	char buffer[4096];
	ssize_t n = read(c->answer, buffer, sizeof(buffer));
	bool sent;

	if (n < 0 && errno == EINTR)
		return true;
	if (n > 0) {
		c->said = xrealloc_array(c->said, c->said_used + (size_t)n, 1);
		memcpy(c->said + c->said_used, buffer, (size_t)n);
		c->said_used += (size_t)n;
		return true;
	}
	answer = c->said ? json_loadb(c->said, c->said_used, 0, NULL) : NULL;
	if (!answer)
		answer = answer_denied("denied", "the approver ended without an answer");
	store_add(&s->session->store, c->binds, answer, c->wanted, !c->relayed);
	sent = message_send(c->fd, answer) == 0;
	spawn_wait(c->asking);
	c->asking = 0;
	stop_asking(c);
	return sent;
}

static void accept_client(struct server *s)
{
	struct timeval limit = {.tv_sec = 5};
	int fd = kernel_accept(s->session->listener);

	if (fd < 0)
		return;
	/* Who does not read its answer holds up the others for so long only. */
	if (!peer_is_trusted(fd) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0) {
		close(fd);
		return;
	}
	list_add(s->clients, s->count, (struct client){.fd = fd, .answer = -1});
}

/* False when the session is to end. */
static bool turn(struct server *s, struct error *err)
{
	size_t count = s->count, total = 4 + 2 * count;
	cleanup_free struct pollfd *fds = xrealloc_array(NULL, total, sizeof(*fds));

	fds[0] = (struct pollfd){.fd = s->session->listener, .events = POLLIN};
	fds[1] = (struct pollfd){.fd = s->session->ends[0], .events = POLLIN};
	fds[2] = (struct pollfd){.fd = s->session->ends[1], .events = POLLIN};
	fds[3] = (struct pollfd){.fd = s->session->above, .events = POLLIN};
	for (size_t i = 0; i < count; i++) {
		fds[4 + 2 * i] = (struct pollfd){.fd = s->clients[i].fd, .events = POLLIN};
		fds[5 + 2 * i] = (struct pollfd){.fd = s->clients[i].answer, .events = POLLIN};
	}
	if (poll(fds, total, -1) < 0 && errno != EINTR) {
		error_system(err, "waiting for clients");
		return false;
	}
	/* From the end: dropping moves the last one, which has been seen, down. */
	for (size_t i = count; i-- > 0;) {
		struct client *c = &s->clients[i];
		bool keep = true;

		if (fds[5 + 2 * i].revents)
			keep = read_answer(s, c);
		if (keep && fds[4 + 2 * i].revents)
			keep = read_client(s, c);
		if (!keep)
			drop(s, i);
	}
	if (fds[1].revents || fds[2].revents || fds[3].revents)
		return false;
	if (fds[0].revents)
		accept_client(s);
	return true;
}

int session_serve(struct session *session, struct error *err)
{
	struct server s = {.session = session};

	while (turn(&s, err))
		continue;
	while (s.count > 0)
		drop(&s, 0);
	free(s.clients);
	return err->exit ? -1 : 0;
}
