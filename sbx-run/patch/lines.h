/*
 * Which lines does a file have, and how does each of them end?
 */
#ifndef SBX_RUN_PATCH_LINES_H
#define SBX_RUN_PATCH_LINES_H

#include <stddef.h>

enum line_end {
	END_NONE, /* the last line of a file */
	END_LF,
	END_CRLF,
	END_CR,
	ENDS,
};

extern const char *const line_ends[ENDS];

struct line {
	const char *text; /* not terminated */
	size_t len;
	enum line_end end;
};

struct lines {
	struct line *lines;
	size_t count;
	enum line_end usual; /* that of the first: what new ones get */
};

/* The lines point into the text. */
void lines_split(struct lines *lines, const char *text, size_t len);
void lines_free(struct lines *lines);

/*
 * Where `wanted` stands, from `start` on: word for word, else without blanks at
 * the end, else without blanks around, else with typographic dashes, quotes and
 * blanks read as plain ones.  at_end: at the end of the file first.  SIZE_MAX: nowhere.
 */
size_t lines_find(const struct lines *lines, const struct line *wanted, size_t count, size_t start,
                  int at_end);

#endif
