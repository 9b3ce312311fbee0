/*
 * How do many files change together, or none of them?
 *
 * Every new content is written beside its file first.  Then each is exchanged
 * with the file, which keeps the old one, and only when all have been are the
 * old ones removed.  What fails before that is undone; what is killed before
 * that is undone by whoever comes next (journal.h).
 *
 * No link is followed on any way to a file, at no time.
 */
#ifndef SBX_RUN_PATCH_COMMIT_H
#define SBX_RUN_PATCH_COMMIT_H

#include "document/journal.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct commit_file {
	char *path;
	char *temp; /* the name beside it, of the new content and later of the old one */
	bool writes, existed, changed;
	struct stat was, new; /* that it was, and that was written beside it */
};

struct commit {
	struct journal *journal;
	struct commit_file *files;
	size_t count;
	char **made; /* directories */
	size_t made_count;
};

/* One more file.  `was` is what it must hold now; NULL: it must not be there. */
int commit_delete(struct commit *commit, const char *path, const char *was, struct error *err);

/* The content comes from a pipe.  mode_of: a path, or NULL. */
int commit_write(struct commit *commit, const char *path, const char *was, const char *mode_of,
                 int from, uint64_t len, struct error *err);

/* All of them, or none and err says why. */
int commit_all(struct commit *commit, struct error *err);

/* Removes what was written beside files; after commit_all() nothing. */
void commit_free(struct commit *commit);

/* The directory of journals, open; -1: the user has no configuration to keep one in. */
int commit_directory(struct error *err);

/* Undoes, or finishes, what a writer that was ended has left. */
void commit_recover(int directory);

#endif
