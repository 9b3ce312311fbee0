/*
 * How is one string in a TOML text set or removed, and nothing else of it touched?
 */
#ifndef SBX_POLICY_PROJECT_TOML_EDIT_H
#define SBX_POLICY_PROJECT_TOML_EDIT_H

#include "base/error.h"

#include <stddef.h>

/*
 * The new text: the value at path (tables, then a key) is `value`, everything
 * else means what it meant.  Without a value the key is taken out.  NULL with
 * err when the text is written in a form in which that cannot be done.
 */
char *toml_edit(const char *name, const char *text, size_t len, const char *const *path,
                const char *value, struct error *err);

#endif
