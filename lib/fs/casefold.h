/*
 * File systems that ignore case: is a name in other letters the same file?
 *
 * Numbers of files do not tell: some servers (FUSE, 9p) number by spelling.
 * What tells is a name that is there and is not listed.
 */
#ifndef SBX_FS_CASEFOLD_H
#define SBX_FS_CASEFOLD_H

#include <stdbool.h>

/* The last part of the path with capitals for small letters and back; NULL: it has none. */
char *in_other_letters(const char *path);

/* There, and not listed by this name in its directory. */
bool is_other_spelling(const char *path);

/* The directory takes two spellings for one name; an empty one is taken to be as its parent. */
bool ignores_case(const char *directory);

#endif
