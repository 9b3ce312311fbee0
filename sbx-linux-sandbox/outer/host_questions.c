#include "outer/host_questions.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "gateway/gateway.h"
#include "messages.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

static void begin(struct host_questions *q);

/* The first is done. */
static void decide(struct host_questions *q, bool allowed)
{
	const struct gateway_word *word = &q->words[0];

	/* A gateway that does not hear it is dead, which is seen elsewhere. */
	if (gateway_decided(q->gateway, word->host, word->port, allowed) < 0)
		errno = 0;
	q->count--;
	memmove(&q->words[0], &q->words[1], q->count * sizeof(q->words[0]));
	begin(q);
}

static void put(struct host_questions *q)
{
	const struct gateway_word *word = &q->words[0];
	cleanup_json json_t *event = xjson(json_pack("{s:s,s:s,s:I}", "event", "ask", "host",
	                                             word->host, "port", (json_int_t)word->port));
	/* A path of the command's choice, which need not be text. */
	json_t *program = json_string(word->program);
	cleanup_free char *text = NULL, *line = NULL;

	if (program)
		json_object_set_new(event, "program", program);
	text = xjson(json_text_dump(event, JSON_COMPACT));
	line = xasprintf("%s\n", text);
	if (send(q->report, line, strlen(line), MSG_NOSIGNAL) < 0)
		errno = 0;
}

static void begin(struct host_questions *q)
{
	if (q->count == 0)
		return;
	if (!q->hold)
		put(q);
	else if (control_send(q->control, MESSAGE_HOLD, 0, NULL) < 0)
		decide(q, false);
}

void host_asked(struct host_questions *q, const struct gateway_word *word)
{
	if (!q->can || q->count == QUESTIONS_WAITING) {
		if (gateway_decided(q->gateway, word->host, word->port, false) < 0)
			errno = 0;
		return;
	}
	q->words[q->count++] = *word;
	if (q->count == 1)
		begin(q);
}

void host_held(struct host_questions *q, bool quiet)
{
	if (q->count > 0 && quiet) {
		put(q);
		return;
	}
	complain("the command does not stand still: what it wants to reach is not asked about");
	q->allowed = false;
	control_send(q->control, MESSAGE_FREE, 0, NULL);
}

void host_freed(struct host_questions *q, bool quiet)
{
	if (q->count == 0)
		return;
	if (q->allowed && !quiet)
		complain("a process of the command ran while a question was open: the answer "
		         "does not count");
	decide(q, q->allowed && quiet);
}

static void take_line(struct host_questions *q)
{
	cleanup_json json_t *answer = json_loadb(q->line, q->used, JSON_REJECT_DUPLICATES, NULL);
	const char *host = json_string_value(json_object_get(answer, "host"));
	json_int_t port = json_integer_value(json_object_get(answer, "port"));

	/* To the question that is open, and no other. */
	if (q->count == 0 || !host || strcmp(host, q->words[0].host) != 0 ||
	    port != (json_int_t)q->words[0].port)
		return;
	q->allowed = json_is_true(json_object_get(answer, "allow"));
	if (!q->hold)
		decide(q, q->allowed);
	else if (control_send(q->control, MESSAGE_FREE, 0, NULL) < 0)
		decide(q, false);
}

bool host_hear(struct host_questions *q)
{
	char bytes[ANSWER_LINE];
	ssize_t n = recv(q->report, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] == '\n') {
			take_line(q);
			q->used = 0;
		} else if (q->used < sizeof(q->line)) {
			q->line[q->used++] = bytes[i];
		}
	}
	return true;
}
