/*
 * Which directory does a small file of git's point to?
 *
 * A `.git` that is a pointer ("gitdir: X"), and the "commondir" of a linked
 * worktree.
 */
#ifndef SBX_GIT_POINTER_FILE_H
#define SBX_GIT_POINTER_FILE_H

struct gitfile {
	char *exact;   /* the path as git takes it: only line ends are cut off */
	char *trimmed; /* without blanks at either end */
};

/* -1: there is no such file, or git would not accept it either; or errno is ours. */
int gitfile_pointer(struct gitfile *file, const char *path);
int gitfile_common(struct gitfile *file, const char *gitdir);

/* The text of a regular file that is not reached through a link; NULL: none, or errno. */
char *gitfile_text(const char *directory, const char *name);
char *gitfile_text_at(int dir, const char *name);

void gitfile_free(struct gitfile *file);

#endif
