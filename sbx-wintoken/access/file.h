/*
 * How are small files of our own read whole and replaced whole?
 */
#ifndef SBX_WINTOKEN_FILE_H
#define SBX_WINTOKEN_FILE_H

#include "windows/system.h"

#include <stddef.h>

/* For free(), with a NUL behind it; NULL with err.  A missing file is "". */
char *file_read(const WCHAR *path, size_t max, size_t *len, struct error *err);

/* For nobody but the user; as a whole or not at all. */
int file_replace(const WCHAR *path, const char *text, struct error *err);

#endif
