/*
 * What travels down the pipe?  One JSON object, the document.
 *
 * A stage adds its own member and leaves every other as it was, known or not.
 * A document with "error" is passed on untouched.
 */
#ifndef SBX_DOCUMENT_DOCUMENT_H
#define SBX_DOCUMENT_DOCUMENT_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A stream of documents; one per process, on a file descriptor. */
struct document_stream;

struct document_stream *document_stream_open(int fd);
void document_stream_close(struct document_stream *stream);

/*
 * The next document.  1: read; 0: end of stream; -1: what came is not a
 * document, and nothing after it can be trusted to be one.
 */
int document_read(struct document_stream *stream, json_t **doc, struct error *err);

/*
 * The last document as it came, when that is what document_write() would make
 * of it; else NULL.  Until the next one is read.
 */
const char *document_text(const struct document_stream *stream, size_t *len);

/* {"sbx":1,"command":{"argv":[...],"cwd":...}} */
json_t *document_new(char *const *argv, const char *cwd);

/* Sets "error" from err. */
void document_fail(json_t *doc, const char *stage, const struct error *err);

/* The exit status inside "error", or 0 when the document has none. */
int document_error(const json_t *doc);

/* The error of a document that could not be written; its code, where nobody reads any more. */
#define NO_READER "no-reader"
int document_unwritten(struct error *err);

/* One compact line, flushed. */
int document_write(const json_t *doc, FILE *out, struct error *err);

enum preference {
	PREFERENCE_AUTO,
	PREFERENCE_REQUIRE,
	PREFERENCE_FORBID,
};

extern const char *const preference_names[]; /* by enum preference */

/*
 * The members of "command" that every stage relies on, checked once, copied
 * out, and owned by the caller until command_free().
 */
struct command {
	char **argv; /* at least one */
	char *cwd;   /* absolute */
	char **env;  /* NULL: the stage's own environment */
	json_int_t timeout_ms;
	const char *tool; /* "exec" or "patch"; these point into the document */
	enum preference preference;
	bool escalate;
};

int command_get(const json_t *doc, struct command *command, struct error *err);

/* The same for a command that is to run on a platform, where cwd is absolute. */
int command_get_for(const char *platform, const json_t *doc, struct command *command,
                    struct error *err);
void command_free(struct command *command);

/* The first member of "command" that nobody knows, or NULL. */
const char *command_unknown_member(const json_t *doc);

#endif
