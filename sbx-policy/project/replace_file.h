/*
 * How is a file of the user's replaced by an edited copy of itself?
 *
 * As a whole or not at all, while nobody else does.
 */
#ifndef SBX_POLICY_PROJECT_REPLACE_FILE_H
#define SBX_POLICY_PROJECT_REPLACE_FILE_H

#include "base/error.h"

#include <stddef.h>

/* The new text of the file (NUL-terminated), or NULL with err. */
typedef char *replace_edit(void *context, const char *name, const char *text, size_t len,
                           struct error *err);

/* A missing file is made, readable for this user alone. */
int replace_file(const char *path, replace_edit *edit, void *context, struct error *err);

#endif
