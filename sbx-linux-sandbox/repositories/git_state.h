/*
 * Would git run something, or write elsewhere, because of this file of its own?
 *
 * With --allow git the command writes the files in which git keeps what it is
 * doing.  A git of the host believes them later: it executes what a rebase has
 * left to do, and writes to the paths that an index holds without asking
 * whether git could have put them there.
 */
#ifndef SBX_LINUX_SANDBOX_REPOSITORIES_GIT_STATE_H
#define SBX_LINUX_SANDBOX_REPOSITORIES_GIT_STATE_H

#include <stdbool.h>
#include <stddef.h>

struct git_text {
	char *bytes; /* with a NUL behind them */
	size_t size;
};

struct git_state {
	const char *name; /* in a repository's own directory */
	const char *why;  /* for people, behind the name of the file */
	/* Is this text harmful, where the other one was before the run?  It may be NULL. */
	bool (*is_harmful)(const struct git_text *text, const struct git_text *before, size_t hash);
};

/* The i-th; NULL at the end.  `hash` is the size of an object's name: 20, or 32. */
const struct git_state *git_state(size_t i);

#endif
