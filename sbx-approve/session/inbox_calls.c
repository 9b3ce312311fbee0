#include "session/inbox_calls.h"

#include "program/answer.h"
#include "base/cleanup.h"
#include "base/memory.h"

#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define RECENT_MAX 30

bool inbox_is_open(const struct server *server)
{
	for (size_t i = 0; i < server->count; i++)
		if (server->clients[i].watches)
			return true;
	return false;
}

/* Who has not read the last call need not hear another. */
void inbox_tell(const struct server *server)
{
	static const char call[] = "{\"changed\":1}\n";

	for (size_t i = 0; i < server->count; i++)
		if (server->clients[i].watches)
			send(server->clients[i].fd, call, sizeof(call) - 1,
			     MSG_NOSIGNAL | MSG_DONTWAIT);
}

void inbox_note(struct server *server, const json_t *key, const json_t *source,
                const json_t *answer)
{
	const char *decision = answer_decision(answer);
	json_t *note;

	if (!decision || !key)
		return;
	note = xjson(json_pack("{s:s,s:O,s:O?,s:O?,s:I}", "decision", decision, "key", key,
	                       "source", source, "by", json_object_get(answer, "by"), "at",
	                       (json_int_t)time(NULL)));
	json_array_insert_new(server->recent, 0, note);
	if (json_array_size(server->recent) > RECENT_MAX)
		json_array_remove(server->recent, RECENT_MAX);
}

static json_t *in_short(const struct client *c)
{
	const json_t *request = json_object_get(c->message, "request");

	return xjson(json_pack("{s:I,s:O?,s:O?,s:O?,s:I}", "id", c->id, "key",
	                       json_object_get(request, "key"), "source",
	                       json_object_get(request, "source"), "cwd",
	                       json_object_get(request, "cwd"), "at", c->since));
}

/* The oldest first: clients change places when one goes. */
static json_t *open_questions(const struct server *server)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < server->count; i++) {
		const struct client *c = &server->clients[i];
		size_t at = 0;

		if (!c->message)
			continue;
		while (at < json_array_size(list) &&
		       json_integer_value(json_object_get(json_array_get(list, at), "id")) < c->id)
			at++;
		json_array_insert_new(list, at, in_short(c));
	}
	return list;
}

json_t *inbox_overview(const struct server *server)
{
	return xjson(json_pack("{s:o,s:O,s:o,s:b,s:i}", "waiting", open_questions(server), "recent",
	                       server->recent, "given", store_list(&server->session->store),
	                       "nested", server->session->parent != NULL, "pid", (int)getpid()));
}

struct client *inbox_question(const struct server *server, const json_t *message)
{
	json_int_t id = json_integer_value(json_object_get(message, "id"));

	for (size_t i = 0; id > 0 && i < server->count; i++)
		if (server->clients[i].message && server->clients[i].id == id)
			return &server->clients[i];
	return NULL;
}

json_t *inbox_look(const struct server *server, const json_t *message)
{
	const struct client *c = inbox_question(server, message);

	if (!c)
		return xjson(json_pack("{s:b}", "gone", true));
	return xjson(json_pack("{s:O,s:O?}", "request", json_object_get(c->message, "request"),
	                       "document", json_object_get(c->message, "document")));
}
