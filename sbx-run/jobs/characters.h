/*
 * Where does the last whole character end, and what are bytes as text?
 *
 * Output comes in pieces that know nothing of characters; JSON knows nothing else.
 */
#ifndef SBX_RUN_JOBS_CHARACTERS_H
#define SBX_RUN_JOBS_CHARACTERS_H

#include <jansson.h>
#include <stddef.h>

/* Without the beginning of a character whose rest is still to come. */
size_t whole_characters(const char *bytes, size_t len);

/* A string in which what is no character is U+FFFD: for a reader, not for a program. */
json_t *readable(const char *bytes, size_t len);

#endif
