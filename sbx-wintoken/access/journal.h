/*
 * What was changed on the file system and is to be undone?
 *
 * Written down before each change, so that what an ended or killed launcher
 * left behind is found by the next one.  Runs at the same time share what they
 * changed: the last one undoes it.
 */
#ifndef SBX_WINTOKEN_JOURNAL_H
#define SBX_WINTOKEN_JOURNAL_H

#include "windows/system.h"

struct journal {
	HANDLE lock; /* two bytes of a file: who runs, and who changes */
	HANDLE file;
};

/* Undoes leftovers if nobody runs; then we run, and only we change. */
int journal_begin(struct journal *journal, const char *state, struct error *err);

/* Before an entry of `sid` goes onto path. */
int journal_entry(struct journal *journal, const char *path, const char *sid, struct error *err);

/* Before a directory is made. */
int journal_directory(struct journal *journal, const char *path, struct error *err);

/* Changes are made; others may make theirs. */
void journal_ready(struct journal *journal);

/* We do not run any more; undoes everything if nobody does. */
int journal_end(struct journal *journal, struct error *err);

#endif
