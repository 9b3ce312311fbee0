/*
 * How is a file changed without following a link, and so that it can be undone?
 *
 * Every path here is normal, and every step of it is opened as what it is: a
 * directory that became a link meanwhile is an error and not a way.
 */
#ifndef SBX_RUN_PATCH_BESIDE_H
#define SBX_RUN_PATCH_BESIDE_H

#include "base/sha256.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* A directory, to be named from; -1 with errno.  beside_why() says it in words. */
int beside_open(const char *directory);
const char *beside_why(int number);

int beside_make_directory(const char *path);
void beside_remove_directory(const char *path);

int beside_digest(int parent, const char *name, char text[SHA256_TEXT_SIZE]);

/*
 * A new file called `temp` with `len` bytes from a pipe, and the owner, mode,
 * access list and attributes of the open file `like` (-1: of any new file) without
 * the bits that make a program run as somebody else.  -1 with errno.
 */
int beside_write(int parent, const char *temp, int like, int from, uint64_t len, bool sync,
                 struct stat *st);

/* temp becomes the file and the file temp; what did not exist is only made or only put aside. */
int beside_change(int parent, const char *name, const char *temp, bool writes, bool existed);

/* As before beside_change(), if it was called at all; new, old: inodes, 0: there was none. */
void beside_undo(const char *path, const char *temp, ino_t new, ino_t old);

/* What is left of either. */
void beside_remove(const char *path, const char *temp);

#endif
