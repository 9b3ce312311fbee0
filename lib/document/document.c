#include "document/document.h"

#include "base/complain.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/json_text.h"
#include "document/osstring.h"
#include "document/platform.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A document may hold a 10 MB argument, base64 and all; not the whole machine. */
#define DOCUMENT_MAX (64UL << 20)

struct document_stream {
	int fd;
	int failed; /* errno of a failed read */
	size_t start, end;
	size_t taken;    /* bytes of the current document */
	size_t text;     /* where it began, when its text is what we would write; */
	size_t text_len; /* else 0 */
	char buffer[262144];
};

struct document_stream *document_stream_open(int fd)
{
	struct document_stream *stream = xmalloc(sizeof(*stream));

	stream->fd = fd;
	stream->failed = 0;
	stream->start = stream->end = stream->taken = stream->text_len = 0;
	/* A person who typed the name alone would sit before an empty row. */
	if (isatty(fd))
		complain("waiting for a document on this terminal; try --help");
	return stream;
}

void document_stream_close(struct document_stream *stream)
{
	free(stream);
}

/* True when there is a byte at stream->start. */
static bool fill(struct document_stream *stream)
{
	ssize_t n;

	if (stream->start < stream->end)
		return true;
	do
		n = read(stream->fd, stream->buffer, sizeof(stream->buffer));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		stream->failed = errno;
	stream->start = 0;
	stream->end = n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* More text behind what is there, when there is room for it. */
static bool fill_more(struct document_stream *stream)
{
	size_t left = stream->end - stream->start;
	ssize_t n;

	if (left == sizeof(stream->buffer) || stream->failed)
		return false;
	memmove(stream->buffer, stream->buffer + stream->start, left);
	stream->start = 0;
	stream->end = left;
	do
		n = read(stream->fd, stream->buffer + left, sizeof(stream->buffer) - left);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		stream->failed = errno;
	if (n > 0)
		stream->end += (size_t)n;
	return n > 0;
}

/* The common case; whatever is odd about a document is left to jansson. */
static json_t *read_fast(struct document_stream *stream)
{
	for (;;) {
		bool compact;
		json_t *doc;
		size_t used;

		switch (json_text_read(stream->buffer + stream->start, stream->end - stream->start,
		                       &doc, &used, &compact)) {
		case JSON_TEXT_READ:
			stream->text = stream->start;
			stream->text_len = compact ? used : 0;
			stream->start += used;
			return doc;
		case JSON_TEXT_INCOMPLETE:
			if (fill_more(stream))
				break;
			return NULL;
		case JSON_TEXT_ODD:
			return NULL;
		}
	}
}

/*
 * One byte at a time, because jansson takes what it is given and the bytes
 * after the closing brace belong to the next document.
 */
static size_t feed(void *buffer, size_t len, void *data)
{
	struct document_stream *stream = data;

	if (len == 0 || ++stream->taken > DOCUMENT_MAX || !fill(stream))
		return 0;
	*(char *)buffer = stream->buffer[stream->start++];
	return 1;
}

static bool skip_space(struct document_stream *stream)
{
	while (fill(stream)) {
		if (!strchr(" \t\r\n", stream->buffer[stream->start]) ||
		    stream->buffer[stream->start] == '\0')
			return true;
		stream->start++;
	}
	return false;
}

int document_read(struct document_stream *stream, json_t **doc, struct error *err)
{
	json_error_t why;
	const json_t *version;

	*doc = NULL;
	if (!skip_space(stream)) {
		errno = stream->failed;
		return stream->failed ? error_system(err, "reading a document") : 0;
	}
	stream->taken = stream->text_len = 0;
	*doc = read_fast(stream);
	if (!*doc)
		*doc = json_load_callback(feed, stream,
		                          JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &why);
	if (!*doc && stream->taken > DOCUMENT_MAX)
		return error_set(err, EXIT_INPUT, "bad-document", "document: larger than %lu bytes",
		                 DOCUMENT_MAX);
	if (!*doc && json_error_code(&why) == json_error_null_character)
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "document: a string contains a NUL at byte %d", why.position);
	if (!*doc)
		return error_set(err, EXIT_INPUT, "bad-document", "document: %s at byte %d",
		                 why.text, why.position);
	version = json_object_get(*doc, "sbx");
	if (!json_is_integer(version) || json_integer_value(version) != 1) {
		json_decref(*doc);
		*doc = NULL;
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "document: expected an object with \"sbx\":1");
	}
	return 1;
}

const char *document_text(const struct document_stream *stream, size_t *len)
{
	*len = stream->text_len;
	return stream->text_len ? stream->buffer + stream->text : NULL;
}

json_t *document_new(char *const *argv, const char *cwd)
{
	return xjson(json_pack("{s:i,s:{s:o,s:o}}", "sbx", 1, "command", "argv", os_vector(argv),
	                       "cwd", os_string(cwd)));
}

void document_fail(json_t *doc, const char *stage, const struct error *err)
{
	/* The message may quote bytes that are not UTF-8. */
	json_object_set_new(
	        doc, "error",
	        xjson(json_pack("{s:s,s:s,s:o,s:i}", "stage", stage, "code", err->code, "message",
	                        os_string(err->message), "exit", err->exit)));
}

int document_error(const json_t *doc)
{
	const json_t *error = json_object_get(doc, "error");
	json_int_t status;

	if (!error)
		return 0;
	status = json_integer_value(json_object_get(error, "exit"));
	/* A document that says it failed has failed, whatever number it gives. */
	return status >= 1 && status <= 125 ? (int)status : EXIT_INPUT;
}

int document_unwritten(struct error *err)
{
	error_system(err, "writing a document");
	if (errno == EPIPE)
		snprintf(err->code, sizeof(err->code), "%s", NO_READER);
	return -1;
}

int document_write(const json_t *doc, FILE *out, struct error *err)
{
	struct json_buffer buffer = {0};
	int status = json_text_write(doc, &buffer);

	if (status == 0 && (fwrite(buffer.text, 1, buffer.used, out) != buffer.used ||
	                    fputc('\n', out) == EOF || fflush(out) == EOF))
		status = -1;
	if (status < 0)
		document_unwritten(err);
	free(buffer.text);
	return status;
}

const char *const preference_names[] = {"auto", "require", "forbid", NULL};

/* The first is meant where nothing is said. */
static int choice(const json_t *object, const char *member, const char *const *allowed,
                  struct error *err)
{
	const json_t *value = json_object_get(object, member);
	int index;

	if (!value)
		return 0;
	index = word_index(allowed, json_string_value(value));
	return index >= 0 ? index
	                  : error_set(err, EXIT_INPUT, "bad-document",
	                              "command.%s: not one of the known values", member);
}

int command_get(const json_t *doc, struct command *command, struct error *err)
{
	return command_get_for("linux", doc, command, err);
}

int command_get_for(const char *platform, const json_t *doc, struct command *command,
                    struct error *err)
{
	static const char *const tools[] = {"exec", "patch", NULL};
	const json_t *object = json_object_get(doc, "command");
	json_t *env = json_object_get(object, "env");
	const json_t *timeout = json_object_get(object, "timeout_ms");
	const json_t *escalate = json_object_get(object, "escalate");
	int tool, preference;

	memset(command, 0, sizeof(*command));
	if (!json_is_object(object))
		return error_set(err, EXIT_INPUT, "bad-document", "command: missing");
	command->argv = os_vector_get(json_object_get(object, "argv"), "command.argv", err);
	if (!command->argv)
		goto bad;
	if (!command->argv[0] || !command->argv[0][0]) {
		error_set(err, EXIT_INPUT, "bad-document", "command.argv: no command");
		goto bad;
	}
	command->cwd = os_string_get(json_object_get(object, "cwd"), "command.cwd", err);
	if (!command->cwd)
		goto bad;
	if (!platform_absolute(platform, command->cwd)) {
		error_set(err, EXIT_INPUT, "bad-document",
		          "command.cwd: \"%s\": not an absolute path", command->cwd);
		goto bad;
	}
	if (env && !json_is_null(env)) {
		command->env = os_environment_get(env, "command.env", err);
		if (!command->env)
			goto bad;
	}
	if (timeout && (!json_is_integer(timeout) || json_integer_value(timeout) < 0)) {
		error_set(err, EXIT_INPUT, "bad-document",
		          "command.timeout_ms: expected a number of ms");
		goto bad;
	}
	if (escalate && !json_is_boolean(escalate)) {
		error_set(err, EXIT_INPUT, "bad-document",
		          "command.escalate: expected true or false");
		goto bad;
	}
	command->timeout_ms = json_integer_value(timeout);
	command->escalate = json_is_true(escalate);
	tool = choice(object, "tool", tools, err);
	preference = tool < 0 ? -1 : choice(object, "preference", preference_names, err);
	if (preference >= 0) {
		command->tool = tools[tool];
		command->preference = (enum preference)preference;
		return 0;
	}
bad:
	command_free(command);
	return -1;
}

void command_free(struct command *command)
{
	os_vector_free(command->argv);
	os_vector_free(command->env);
	free(command->cwd);
	memset(command, 0, sizeof(*command));
}

const char *command_unknown_member(const json_t *doc)
{
	static const char *const known[] = {"argv",       "cwd",      "env",
	                                    "timeout_ms", "tool",     "files",
	                                    "preference", "escalate", "justification",
	                                    "patch",      "source",   "additional_permissions"};
	json_t *object = json_object_get(doc, "command");
	const char *key;
	json_t *value;

	json_object_foreach (object, key, value) {
		bool found = false;

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			found |= strcmp(key, known[i]) == 0;
		if (!found)
			return key;
	}
	return NULL;
}
