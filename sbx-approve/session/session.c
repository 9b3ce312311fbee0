#include "session/session.h"

#include "program/answer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "decision_table.h"
#include "document/json_pool.h"
#include "grant/effective.h"
#include "process/spawn.h"
#include "process/this_kernel.h"
#include "session/client.h"
#include "session/inbox_calls.h"
#include "session/open_question.h"
#include "session/other_end.h"
#include "session/scope.h"
#include "session/waiting_clients.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void drop(struct server *s, size_t i)
{
	struct client *c = &s->clients[i];
	bool asked = c->message != NULL;

	client_stop_asking(s, c);
	close(c->fd);
	free(c->text);
	s->clients[i] = s->clients[--s->count];
	if (asked)
		inbox_tell(s);
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

/* What was answered elsewhere. */
static json_t *store(struct server *s, const json_t *message)
{
	const json_t *binds = json_object_get(message, "binds");
	const json_t *answer = json_object_get(message, "answer");

	store_add(&s->session->store, binds, answer, json_object_get(message, "wanted"), true);
	inbox_note(s, json_object_get(json_array_get(binds, 0), "key"),
	           json_object_get(message, "source"), answer);
	inbox_tell(s);
	return xjson(json_object());
}

static json_t *take_back(struct server *s, const json_t *message)
{
	size_t gone = store_revoke(&s->session->store,
	                           json_string_value(json_object_get(message, "key")));

	inbox_tell(s);
	return xjson(json_pack("{s:I}", "revoked", (json_int_t)gone));
}

/* Of a person at an inbox. */
static json_t *take_answer(struct server *s, const json_t *message)
{
	struct client *c = inbox_question(s, message);
	cleanup_json json_t *answer = answer_checked(json_object_get(message, "answer"));

	if (c) {
		json_object_set_new(answer, "by", json_string("user"));
		client_settle(s, c, answer);
	}
	return xjson(json_pack("{s:b}", "gone", c == NULL));
}

/* The answer to a message; NULL: it comes later, or is none. */
static json_t *respond(struct server *s, struct client *c, json_t *message, bool *bad)
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
		if (!answer)
			answer = question_begin(s, c, message);
	} else if (strcmp(op, "scope") == 0) {
		answer = xjson(json_pack(
		        "{s:o*}", "grant",
		        scope_grant(session->store.approvals, json_object_get(message, "bind"))));
	} else if (strcmp(op, "store") == 0) {
		answer = store(s, message);
	} else if (strcmp(op, "list") == 0) {
		answer = xjson(json_pack("{s:o}", "decisions", store_list(&session->store)));
	} else if (strcmp(op, "revoke") == 0) {
		answer = take_back(s, message);
	} else if (strcmp(op, "inbox") == 0) {
		c->watches = true;
		answer = xjson(json_object());
	} else if (strcmp(op, "overview") == 0) {
		answer = inbox_overview(s);
	} else if (strcmp(op, "look") == 0) {
		answer = inbox_look(s, message);
	} else if (strcmp(op, "answer") == 0) {
		answer = take_answer(s, message);
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
	if (n <= 0 || c->message)
		return false;
	c->used += (size_t)n;
	do
		if (!take_message(s, c))
			return false;
	while (!c->message && memchr(c->text, '\n', c->used));
	return true;
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
	size_t count = s->count, total = 5 + 2 * count;
	cleanup_free struct pollfd *fds = xrealloc_array(NULL, total, sizeof(*fds));

	fds[0] = (struct pollfd){.fd = s->session->listener, .events = POLLIN};
	fds[1] = (struct pollfd){.fd = s->session->ends[0], .events = POLLIN};
	fds[2] = (struct pollfd){.fd = s->session->ends[1], .events = POLLIN};
	fds[3] = (struct pollfd){.fd = s->session->above, .events = POLLIN};
	fds[4] = waiting_poll(&s->waiting);
	for (size_t i = 0; i < count; i++) {
		fds[5 + 2 * i] = (struct pollfd){.fd = s->clients[i].fd, .events = POLLIN};
		fds[6 + 2 * i] = (struct pollfd){.fd = s->clients[i].answer, .events = POLLIN};
	}
	if (poll(fds, total, questions_time_left(s)) < 0 && errno != EINTR) {
		error_system(err, "waiting for clients");
		return false;
	}
	/* From the end: dropping moves the last one, which has been seen, down. */
	for (size_t i = count; i-- > 0;) {
		struct client *c = &s->clients[i];

		/* Another may have answered since they were looked at. */
		if (fds[6 + 2 * i].revents && c->asking)
			question_heed(s, c);
		if (fds[5 + 2 * i].revents && !read_client(s, c))
			drop(s, i);
	}
	questions_heed_connection(s);
	questions_let_go(s);
	if (fds[1].revents || fds[2].revents || fds[3].revents)
		return false;
	if (fds[0].revents)
		accept_client(s);
	return true;
}

int session_serve(struct session *session, struct error *err)
{
	struct server s = {.session = session, .recent = xjson(json_array())};

	waiting_begin(&s.waiting, &session->approver);
	while (turn(&s, err))
		continue;
	while (s.count > 0)
		drop(&s, 0);
	waiting_end(&s.waiting);
	free(s.clients);
	json_decref(s.recent);
	return err->exit ? -1 : 0;
}
