/*
 * What must be undone of changes to many files, whose writer was ended?
 *
 * A file in a directory of the user's own, one line for each thing before it is
 * done, locked for as long as its writer lives.  Without the line "done" at its
 * end everything is undone; with it, only what is left over is removed.
 */
#ifndef SBX_DOCUMENT_JOURNAL_H
#define SBX_DOCUMENT_JOURNAL_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

struct journal {
	int directory, fd; /* -1: there is none */
	char name[64];
};

int journal_begin(struct journal *journal, int directory, struct error *err);

/* One line, which is there when this returns. */
int journal_add(const struct journal *journal, const json_t *line, struct error *err);

/* Nothing is to be undone any more. */
void journal_end(struct journal *journal);

/* False: it is to be tried again. */
typedef bool journal_undo(const json_t *lines, bool done);

/* Calls undo for every journal whose writer has ended, and removes it then. */
void journal_recover(int directory, journal_undo *undo);

#endif
