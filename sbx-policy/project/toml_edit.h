/*
 * How is a string, or a list of them, in a TOML text set or removed, and nothing else
 * of it touched?
 */
#ifndef SBX_POLICY_PROJECT_TOML_EDIT_H
#define SBX_POLICY_PROJECT_TOML_EDIT_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>

/*
 * The new text: the value at path (tables, then a key) is `value`, everything
 * else means what it meant.  Without a value the key is taken out.  NULL with
 * err when the text is written in a form in which that cannot be done.
 */
char *toml_edit(const char *name, const char *text, size_t len, const char *const *path,
                const char *value, struct error *err);

/* The same with a list of strings, in one line; an empty one is taken out. */
char *toml_edit_list(const char *name, const char *text, size_t len, const char *const *path,
                     const json_t *list, struct error *err);

#endif
