/*
 * What do the files of the TOML reader share?  Nobody else includes this.
 *
 * Every function that can fail returns -1 or NULL after toml_fail().
 */
#ifndef SBX_POLICY_TOML_TOML_PARSER_H
#define SBX_POLICY_TOML_TOML_PARSER_H

#include "toml/toml.h"

struct toml_slice {
	const char *bytes;
	size_t len;
};

/* One part of a dotted key. */
struct toml_part {
	struct toml_slice key;
	struct toml_place place;
	const char *at; /* its first byte in the text */
};

struct toml_parser {
	const char *name;
	const char *start, *end; /* the text; it has no NUL, see toml_check() */
	const char *at;          /* the next byte */
	struct toml_limits limits;
	size_t keys; /* so far */

	/* A place that was computed, to count on from. */
	const char *mark;
	struct toml_place mark_place;

	/*
	 * Strings with escapes, decoded.  An escape is longer than what it
	 * stands for, so all of them together fit in the length of the text.
	 */
	char *decoded;
	size_t decoded_used;

	/* The key that was read last. */
	struct toml_part *parts; /* limits.depth of them */
	size_t part_count;

	struct error *err;
};

/* toml_text.c: which bytes may a text have, and where is one? */
int toml_check(struct toml_parser *p);
struct toml_place toml_place_of(struct toml_parser *p, const char *at);
int toml_fail(struct toml_parser *p, const char *at, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
/* "expected WHAT, found ..." at the next byte. */
int toml_expected(struct toml_parser *p, const char *what);
/* A key for an error line: quoted, and cut when it is long. */
const char *toml_shown(char buffer[48], struct toml_slice key);

/* The next byte, or NUL at the end. */
static inline char toml_peek(const struct toml_parser *p)
{
	return p->at < p->end ? *p->at : '\0';
}

static inline bool toml_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Where the next decoded bytes go. */
char *toml_decoded(struct toml_parser *p);

/* toml_string.c: a quoted string; a key cannot be a multi-line one. */
int toml_string(struct toml_parser *p, bool is_key, struct toml_slice *out);

/* toml_number.c and toml_time.c: what is written without quotes. */
json_t *toml_number(struct toml_parser *p, const char *end);
json_t *toml_time(struct toml_parser *p, const char *end);
bool toml_looks_like_time(const struct toml_parser *p, const char *end);
json_t *toml_typed(const char *type, const char *value, size_t len);

/* toml_table.c: who may define which table? */
enum toml_kind {
	TOML_VALUE,    /* written as a value: complete, nothing may be added */
	TOML_IMPLICIT, /* only passed through by a header */
	TOML_HEADER,   /* [table] */
	TOML_DOTTED,   /* made by a dotted key */
	TOML_ARRAY,    /* [[array]] */
};

/* A table or array being filled, and its twin that holds the places. */
struct toml_slot {
	json_t *values, *places;
	size_t depth;
	struct toml_part part; /* what toml_put() sets; an array ignores the key */
};

/* Adds a scalar; takes the reference. */
int toml_put(struct toml_parser *p, const struct toml_slot *slot, json_t *value);
/* Adds a container, empty, and makes inside the slot for its contents. */
int toml_open(struct toml_parser *p, const struct toml_slot *slot, json_t *container,
              enum toml_kind kind, struct toml_slot *inside);
/* p->parts from a table: the slot for the value of "a.b.c = value". */
int toml_enter_dotted(struct toml_parser *p, const struct toml_slot *table, struct toml_slot *slot);
/* p->parts from the root: the table that [a.b.c] or [[a.b.c]] opens. */
int toml_enter_header(struct toml_parser *p, const struct toml_slot *root, bool array,
                      struct toml_slot *table);

#endif
