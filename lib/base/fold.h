/*
 * How do the words of others stand on a screen, so that they cannot look like ours?
 *
 * A terminal that wraps a long line begins the next row with whatever comes
 * next: padded well, an argument or a path makes rows of its own that say
 * "sandbox read-only".  So we fold: every row begins with our text or our mark,
 * and nothing of others ever stands in the first column.
 */
#ifndef SBX_BASE_FOLD_H
#define SBX_BASE_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct fold {
	FILE *out;
	unsigned columns; /* 0: no terminal; one line, whatever its length */
	const char *end;  /* of a row: "\n", or "\r\n" where the terminal adds none */
	unsigned hang;    /* columns that further rows are indented beyond the head */
	const char *mark; /* of further rows, in place of indent and "| "; NULL: those */
	bool lines;       /* a newline in the text begins a marked row; else it is \x0a.  What a
	                   * line is indented by stands as blanks */
	bool diff;        /* lines that a patch adds or takes away have their colours */
};

/*
 * The columns to fold at; 0 when fd is no terminal.  Whoever has the terminal
 * open can set its size, a command in the sandbox too: never more than 80,
 * which no window should be narrower than without saying so.
 */
unsigned fold_columns(int fd);

/* A copy that text_clean() made, with runs of blanks counted: "[40 blanks]". */
char *fold_shown(const char *text);

/*
 * head, which is ours, and then the text, shown; further rows are indented to
 * the head's length with a mark before them.  Of a text of more than `limit`
 * bytes (0: no limit) the middle is left out, and a row of ours says so with
 * `how`.  True when something was left out.
 */
bool fold_field(const struct fold *fold, const char *head, const char *text, size_t limit,
                const char *how);

/* The same for one row that the caller put together from text that is shown already. */
void fold_ready(const struct fold *fold, const char *head, const char *ready);

#endif
