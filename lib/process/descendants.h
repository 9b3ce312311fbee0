/*
 * What did the command start, and how is all of it ended?
 */
#ifndef SBX_PROCESS_DESCENDANTS_H
#define SBX_PROCESS_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Children that we had before: a shell that executed us may have left some. */
struct tree {
	pid_t *foreign;
	size_t foreign_count;
};

/* Before the command is started. */
void tree_begin(struct tree *tree);
void tree_free(struct tree *tree);

/* By its parents; those of the tree's foreign children are none.  tree may be NULL. */
bool is_descendant(const struct tree *tree, pid_t pid);

/*
 * Kills the process group (0: none) and every descendant of ours that exists now; how
 * many were alive.  To be repeated at each SIGCHLD until it says 0: what is
 * orphaned meanwhile becomes our child, so nothing can slip out for good.
 */
size_t tree_kill(const struct tree *tree, pid_t group);

#endif
