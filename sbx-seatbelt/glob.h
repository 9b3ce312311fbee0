/*
 * Which regular expressions match what a pattern of names does?
 *
 * "*" and "?" stay inside a component, "**" as a component is any number of
 * directories, "[...]" and "[!...]" are one character, "{a,b}" are
 * alternatives, "\" takes the next character as it is.  What matches is meant
 * with all that is below it.
 */
#ifndef SBX_SEATBELT_GLOB_H
#define SBX_SEATBELT_GLOB_H

#include "base/error.h"
#include "base/strings.h"

#include <stdbool.h>
#include <stddef.h>

/* Adds the patterns without braces. */
int glob_alternatives(const char *pattern, struct strings *list, struct error *err);

/*
 * The part before the first component with a special character, unescaped:
 * the directory that everything that can match is in.
 */
char *glob_directory(const char *pattern);

/*
 * What a pattern without braces matches: "^...(/|$)".  With components above
 * 0 only that many of them, as a whole: "^...$".  NULL with err when the
 * pattern is relative or has something that cannot be expressed exactly.
 */
char *glob_regex(const char *pattern, size_t components, struct error *err);

/* How many components there are, and whether one of them, from 0, is "**". */
size_t glob_components(const char *pattern);
bool glob_is_deep(const char *pattern, size_t component);

#endif
