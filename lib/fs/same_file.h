/*
 * Is it the same file?
 */
#ifndef SBX_FS_SAME_FILE_H
#define SBX_FS_SAME_FILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

static inline bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The name in the directory is that of the open file, and not of another by now. */
static inline bool is_still_named(int fd, int directory, const char *name)
{
	struct stat own, now;

	return fstat(fd, &own) == 0 && fstatat(directory, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       same_file(&own, &now);
}

#endif
