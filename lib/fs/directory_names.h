/*
 * Which names, of which types, are in an open directory?
 *
 * At the cost of one system call for a usual directory.
 */
#ifndef SBX_FS_DIRECTORY_NAMES_H
#define SBX_FS_DIRECTORY_NAMES_H

#include <stdbool.h>

enum kind {
	KIND_OTHER,
	KIND_DIRECTORY,
	KIND_LINK,
	KIND_DEVICE,  /* or a fifo: who opens it may wait for ever */
	KIND_UNKNOWN, /* the file system does not say: ask lstat() */
};

static inline bool may_be_directory(enum kind kind)
{
	return kind == KIND_DIRECTORY || kind == KIND_UNKNOWN;
}

/* Called for every name but "." and ".."; false ends the listing. */
typedef bool listing_name(void *context, const char *name, enum kind kind);

/* 0: all names were seen; 1: the callback ended it; -1 with errno. */
int listing(int fd, listing_name *each, void *context);

#endif
