#include "connection/conversation.h"

#include "document/json_list.h"
#include "program/answer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void conversation_begin(struct conversation *talk, int fd, const char *prefix)
{
	*talk = (struct conversation){
	        .fd = fd, .prefix = xstrdup(prefix), .open = xjson(json_object())};
}

void conversation_end(struct conversation *talk)
{
	if (talk->fd >= 0)
		close(talk->fd);
	json_decref(talk->open);
	free(talk->prefix);
	free(talk->out);
	free(talk->line);
	*talk = (struct conversation){.fd = -1};
}

void conversation_break(struct conversation *talk)
{
	if (talk->fd >= 0) {
		shutdown(talk->fd, SHUT_RDWR);
		close(talk->fd);
	}
	talk->fd = -1;
}

static int over(struct conversation *talk, struct error *err, const char *why)
{
	conversation_break(talk);
	return error_set(err, EXIT_DENIED, "approver", "%s", why);
}

static void say(struct conversation *talk, const json_t *message)
{
	cleanup_free char *text = xjson(json_text_dump(message, JSON_COMPACT));
	size_t len = strlen(text);

	talk->out = xrealloc_array(talk->out, talk->left + len + 1, 1);
	memcpy(talk->out + talk->left, text, len);
	talk->out[talk->left + len] = '\n';
	talk->left += len + 1;
}

char *conversation_ask(struct conversation *talk, const json_t *request)
{
	cleanup_json json_t *question = xjson(json_deep_copy(request));
	char *id = xasprintf("%s%lu", talk->prefix, ++talk->asked);
	json_t *options = json_object_get(request, "options");

	json_object_set_new(question, "id", json_string(id));
	json_object_set(talk->open, id, options);
	say(talk, question);
	return id;
}

void conversation_cancel(struct conversation *talk, const char *id)
{
	cleanup_json json_t *message = NULL;

	if (!json_object_get(talk->open, id))
		return;
	json_object_del(talk->open, id);
	message = xjson(json_pack("{s:s,s:s}", "type", "cancel", "id", id));
	say(talk, message);
}

int conversation_push(struct conversation *talk, struct error *err)
{
	while (talk->left > 0) {
		ssize_t n = send(talk->fd, talk->out, talk->left, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		if (n <= 0)
			return over(talk, err, "closed the connection");
		talk->left -= (size_t)n;
		memmove(talk->out, talk->out + n, talk->left);
	}
	return 0;
}

/*
 * Too late, or twice: we have asked it, or who had the connection before us did, for the
 * same caller.
 */
static bool is_void(const struct conversation *talk, const char *id)
{
	return strncmp(id, talk->prefix, strcspn(talk->prefix, "#") + 1) == 0;
}

/* One line, without its end: as conversation_take(). */
static int judge(struct conversation *talk, char **id, json_t **answer, struct error *err)
{
	cleanup_json json_t *said =
	        json_loadb(talk->line, talk->used, JSON_REJECT_DUPLICATES, NULL);
	const char *of = json_string_value(json_object_get(said, "id"));
	const json_t *options = of ? json_object_get(talk->open, of) : NULL;

	talk->used = 0;
	if (!json_is_object(said) || !of)
		return over(talk, err, "sent something that is not an answer with an id");
	if (!options && is_void(talk, of))
		return 0;
	if (!options)
		return over(talk, err, "answered a question that was not asked");
	*id = xstrdup(of);
	*answer = answer_checked(said);
	if (!json_list_has_text(options, answer_decision(*answer))) {
		json_decref(*answer);
		*answer = answer_denied("denied", "the answer was not one of the options");
	}
	json_object_del(talk->open, of);
	return 1;
}

/* No more than the line: what follows may be another's to read, after us. */
static ssize_t read_to_end_of_line(struct conversation *talk, bool *whole)
{
	size_t room = ANSWER_LINE_MAX - talk->used;
	char *at = talk->line + talk->used, *end;
	ssize_t n = recv(talk->fd, at, room, MSG_PEEK | MSG_DONTWAIT);

	if (n <= 0)
		return n;
	end = memchr(at, '\n', (size_t)n);
	*whole = end != NULL;
	return recv(talk->fd, at, end ? (size_t)(end - at) + 1 : (size_t)n, MSG_DONTWAIT);
}

/* One line at the most: who has more to say than we can hear must not keep us from the clock. */
int conversation_take(struct conversation *talk, char **id, json_t **answer, struct error *err)
{
	bool whole = false;
	ssize_t n;

	if (!talk->line)
		talk->line = xmalloc(ANSWER_LINE_MAX);
	do {
		n = read_to_end_of_line(talk, &whole);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (n <= 0)
		return over(talk, err, "closed the connection");
	talk->used += (size_t)n;
	if (whole) {
		talk->used--;
		return judge(talk, id, answer, err);
	}
	return talk->used == ANSWER_LINE_MAX ? over(talk, err, "answered with too much text") : 0;
}
