/*
 * What does a text in TOML 1.0.0 say, as jansson values?
 *
 *	string, boolean, integer	the same; integers have 64 bits
 *	float				real
 *	array, table			array, object
 *	inf, nan, dates and times	{"$toml":TYPE,"value":TEXT,"sealed":null}
 *
 * TYPE is "float" (TEXT is "inf", "-inf" or "nan"), "datetime",
 * "datetime-local", "date-local" or "time-local" (TEXT as RFC 3339 writes it,
 * with "T" and "Z").  TOML has no null, so no table that a file spells out can
 * be mistaken for one of these; toml_type() looks.
 *
 * Strings may contain NUL.  Keys may in TOML, and are refused here: copying
 * and merging in jansson cuts a key at its first NUL, so that "projects\u0000"
 * would pass a check and then become "projects".
 *
 * The text is the attacker's: reading costs time and memory in proportion to
 * its length, and recursion ends at the depth limit.
 */
#ifndef SBX_POLICY_TOML_TOML_H
#define SBX_POLICY_TOML_TOML_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct toml_limits {
	size_t bytes;  /* of text; above 2^28 - 2 it stays that */
	size_t depth;  /* of tables and arrays in each other, dotted keys included */
	size_t keys;   /* keys, tables and array elements, together */
	bool nul_keys; /* accept them: for who neither copies nor merges */
};

extern const struct toml_limits toml_limits_default; /* 1 MiB, 64, 100 000 */

/* Both from 1; columns are characters, not bytes. */
struct toml_place {
	unsigned line, column;
};

struct toml_document {
	json_t *root;
	json_t *places; /* where each key and element stands; for toml_find() */
};

/*
 * The table of a whole text, or NULL with err: EXIT_INPUT, "bad-toml", and
 * the message "name:line:column: what is wrong".
 */
json_t *toml_read(const char *text, size_t len, const char *name, struct error *err);

/* The same with the places, and with limits (NULL: the default). */
int toml_read_document(const char *text, size_t len, const char *name,
                       const struct toml_limits *limits, struct toml_document *document,
                       struct error *err);
void toml_document_free(struct toml_document *document);

/*
 * Where the value at a path stands: a table or value where its key was
 * written, an element of an array where it begins.  The path is a
 * NULL-terminated list of keys, decimal indexes for arrays, as toml_key()
 * makes it.  False when nothing in the text is there.
 */
bool toml_find(const struct toml_document *document, const char *const *path,
               struct toml_place *place);

/* One value and nothing else: the VALUE of "-c KEY=VALUE". */
json_t *toml_value(const char *text, const char *name, struct error *err);

/*
 * The parts of a dotted key, bare or quoted: a NULL-terminated list for
 * os_vector_free().  The count, or -1.  toml_key() wants nothing after the
 * key; toml_key_prefix() sets *rest behind it, which finds the "=" of
 * KEY=VALUE although a quoted part may contain one.
 */
int toml_key(const char *text, char ***parts, struct error *err);
int toml_key_prefix(const char *text, const char **rest, char ***parts, struct error *err);

/*
 * What a person calls the type of a value that came from here: "string",
 * "integer", "float", "boolean", "datetime", "datetime-local", "date-local",
 * "time-local", "array" or "table".
 */
const char *toml_type(const json_t *value);

#endif
