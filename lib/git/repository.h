/*
 * Which repository is a directory in, and what proves it?
 *
 * Everything under the directory may be forged: a `.git` that is a link or
 * has no HEAD is none, and a pointer file makes its directory part of another
 * checkout only when that one points back.
 */
#ifndef SBX_GIT_REPOSITORY_H
#define SBX_GIT_REPOSITORY_H

#include <stdbool.h>

struct repository {
	char *root;   /* the directory that holds `.git`; NULL: in no repository */
	char *gitdir; /* where it leads to: canonical; NULL: a pointer without proof */
	char *common; /* what a linked worktree shares with its main checkout; else gitdir */
	char *main;   /* the root of the main checkout; else root */
};

/* `directory` is canonical. */
void repository_find(struct repository *repository, const char *directory);
void repository_free(struct repository *repository);

/*
 * True when git takes path, read from the open directory at, for a repository's
 * own directory whatever it is called: a bare repository, for one.
 */
bool is_git_directory(int at, const char *path);

/* The same of an absolute path, or of a directory that it lies in. */
bool inside_git_directory(const char *path);

#endif
