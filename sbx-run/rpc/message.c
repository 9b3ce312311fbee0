#include "rpc/message.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Of the values in a message; each costs many times its bytes once it is read. */
#define VALUES_MAX 200000

/* Of a whole number: the next one may be too large. */
#define DIGITS_MAX 18

/* A text of brackets alone would take a hundred times its size. */
static bool has_too_much(const char *text, size_t len)
{
	bool quoted = false;
	size_t marks = 0;

	for (size_t i = 0; i < len && marks <= VALUES_MAX; i++) {
		if (quoted && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			quoted = !quoted;
		else if (!quoted && strchr("[{,", text[i]) && text[i])
			marks++;
	}
	return marks > VALUES_MAX;
}

json_t *message_parse(const char *text, size_t len)
{
	if (has_too_much(text, len))
		return NULL;
	return json_loadb(text, len, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
	                  NULL);
}

/* Of the six bytes \uXXXX: which half of a character they are, 'l'eading or 't'railing; else 0. */
static char half_at(const char *text, const char *end)
{
	if (end - text < 6 || text[0] != '\\' || text[1] != 'u' || !strchr("dD", text[2]))
		return 0;
	return strchr("89abAB", text[3]) ? 'l' : strchr("cdefCDEF", text[3]) ? 't' : 0;
}

/* A number that has no room in one of ours becomes 0; behind it. */
static char *mend_number(char *at, const char *end)
{
	size_t len = 0;

	while (at + len < end && strchr("0123456789.eE+-", at[len]) && at[len])
		len++;
	if (len > DIGITS_MAX || memchr(at, 'e', len) || memchr(at, 'E', len)) {
		memset(at, ' ', len);
		*at = '0';
	}
	return at + len;
}

/* The byte that is looked at next. */
static char *mend(char *at, const char *end, bool *quoted)
{
	char half = *quoted ? half_at(at, end) : 0;

	if (!*quoted && *at >= '0' && *at <= '9')
		return mend_number(at, end);
	*quoted ^= *at == '"';
	if (half == 'l' && half_at(at + 6, end) == 't')
		return at + 12;
	if (half)
		memcpy(at + 2, "fffd", 4);
	return at + (*quoted && *at == '\\' ? 2 : 1);
}

json_t *message_parse_mended(const char *text, size_t len)
{
	cleanup_free char *mended = xmalloc(len + 1);
	const char *end = mended + len;
	bool quoted = false;

	memcpy(mended, text, len);
	mended[len] = '\0';
	for (char *at = mended; at < end;)
		at = mend(at, end, &quoted);
	return message_parse(mended, len);
}

const char *plain_text(const json_t *value)
{
	const char *text = json_string_value(value);

	return text && strlen(text) == json_string_length(value) ? text : NULL;
}

static void wrong(struct message *m, const char *why)
{
	m->kind = MESSAGE_WRONG;
	m->why = why;
}

/* An answer to something that we asked. */
static void read_response(const json_t *value, const json_t *error, struct message *m)
{
	m->kind = MESSAGE_RESPONSE;
	m->result = json_object_get(value, "result");
	if (!m->id)
		wrong(m, "a response without an id");
	else if ((m->result != NULL) == (error != NULL))
		wrong(m, "a response has either a result or an error");
}

static void read_call(const json_t *value, const json_t *id, struct message *m)
{
	m->kind = id ? MESSAGE_REQUEST : MESSAGE_NOTIFICATION;
	m->method = plain_text(json_object_get(value, "method"));
	m->params = json_object_get(value, "params");
	if (!m->method)
		wrong(m, "method: expected a string");
	else if (id && !m->id)
		wrong(m, "id: expected a string or a whole number");
	else if (m->params && !json_is_object(m->params))
		wrong(m, "params: expected an object");
}

void message_read(json_t *value, struct message *m)
{
	json_t *id = json_object_get(value, "id");
	const char *version = plain_text(json_object_get(value, "jsonrpc"));
	const json_t *error = json_object_get(value, "error");

	*m = (struct message){0};
	if (!json_is_object(value)) {
		wrong(m, "expected an object");
		return;
	}
	m->id = json_is_string(id) || json_is_integer(id) ? id : NULL;
	if (!version || strcmp(version, "2.0") != 0)
		wrong(m, "jsonrpc: expected \"2.0\"");
	else if (!json_object_get(value, "method") && (json_object_get(value, "result") || error))
		read_response(value, error, m);
	else
		read_call(value, id, m);
}
