/*
 * Which files of other version controls than git run programs later?
 *
 * Their settings name hooks, editors and diff programs, and are obeyed because
 * they belong to the user who runs the tool.
 */
#ifndef SBX_GIT_OTHER_REPOSITORIES_H
#define SBX_GIT_OTHER_REPOSITORIES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A repository that was there is protected; of one that the command made, what runs
 * programs is put aside, and nothing else: the repository must work.
 */
enum repository_age { WHERE_IT_WAS = 1, WHERE_IT_IS_NEW = 2 };

struct other_repository {
	const char *directory; /* that makes its parent a repository */
	const char *file;      /* in it; may be a directory */
	unsigned counts;       /* enum repository_age, one or both */
};

/* The i-th; NULL at the end.  The files of a directory stand together. */
const struct other_repository *other_repository(size_t i);

/* True when a directory of this name is one. */
bool is_other_repository(const char *name);

#endif
