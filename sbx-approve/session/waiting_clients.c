#include "session/waiting_clients.h"

#include "program/answer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void waiting_begin(struct waiting_clients *w, struct approver *approver)
{
	*w = (struct waiting_clients){.approver = approver,
	                              .prefix = xasprintf("session.%ld#", (long)getpid())};
}

static void forget(struct waiting_clients *w, size_t i)
{
	free(w->items[i].id);
	w->items[i] = w->items[--w->count];
}

void waiting_end(struct waiting_clients *w)
{
	while (w->count > 0)
		waiting_drop(w, w->items[0].fd);
	approver_close(w->approver);
	free(w->items);
	free(w->prefix);
	free(w->broken);
	*w = (struct waiting_clients){0};
}

int waiting_add(struct waiting_clients *w, int client, const json_t *message, int limit_ms,
                struct error *err)
{
	struct waiting_client one = {.fd = client, .due = now_ms() + limit_ms};

	if (approver_open(w->approver, json_object_get(message, "document"), w->prefix, err) < 0)
		return -1;
	one.id = conversation_ask(&w->approver->talk, json_object_get(message, "request"));
	list_add(w->items, w->count, one);
	return 0;
}

static void push(struct waiting_clients *w)
{
	struct error err = {0};

	if (w->approver->talk.fd < 0 || conversation_push(&w->approver->talk, &err) == 0)
		return;
	free(w->broken);
	w->broken = xasprintf("the approver %s", err.message);
}

void waiting_drop(struct waiting_clients *w, int client)
{
	for (size_t i = w->count; i-- > 0;) {
		if (w->items[i].fd != client)
			continue;
		conversation_cancel(&w->approver->talk, w->items[i].id);
		forget(w, i);
	}
	push(w);
}

struct pollfd waiting_poll(const struct waiting_clients *w)
{
	const struct conversation *talk = &w->approver->talk;
	bool open = talk->prefix && talk->fd >= 0;

	return (struct pollfd){.fd = open ? talk->fd : -1,
	                       .events = open && talk->left > 0 ? POLLIN | POLLOUT : POLLIN};
}

int waiting_ms(const struct waiting_clients *w)
{
	int64_t left = -1;

	for (size_t i = 0; i < w->count; i++) {
		int64_t due = w->items[i].due - now_ms();

		due = due < 0 || w->broken ? 0 : due;
		left = left < 0 || due < left ? due : left;
	}
	return left > INT_MAX ? INT_MAX : (int)left;
}

/* One that nobody will answer any more. */
static int next_unanswered(struct waiting_clients *w, json_t **answer)
{
	for (size_t i = 0; i < w->count; i++) {
		int client = w->items[i].fd;

		if (!w->broken && w->items[i].due > now_ms())
			continue;
		*answer = answer_denied(
		        "denied", w->broken ? w->broken : "the approver did not answer in time");
		waiting_drop(w, client);
		return client;
	}
	free(w->broken);
	w->broken = NULL;
	return -1;
}

int waiting_next(struct waiting_clients *w, json_t **answer)
{
	struct conversation *talk = &w->approver->talk;
	cleanup_free char *id = NULL;
	struct error err = {0};
	int taken = 0;

	push(w);
	if (talk->prefix && talk->fd >= 0)
		taken = conversation_take(talk, &id, answer, &err);
	if (taken < 0) {
		free(w->broken);
		w->broken = xasprintf("the approver %s", err.message);
	}
	for (size_t i = 0; taken > 0 && i < w->count; i++) {
		int client = w->items[i].fd;

		if (strcmp(w->items[i].id, id) != 0)
			continue;
		forget(w, i);
		return client;
	}
	return next_unanswered(w, answer);
}
