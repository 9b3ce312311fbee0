/*
 * How does UTF-16 of Windows become bytes, and bytes UTF-16?
 *
 * Names may have halves of surrogate pairs, which UTF-8 has no form for; they
 * travel as three bytes each, so that nothing is lost.
 */
#ifndef SBX_WINTOKEN_SPELLING_UTF16_H
#define SBX_WINTOKEN_SPELLING_UTF16_H

#include <stddef.h>
#include <stdint.h>

char *wide_text(const uint16_t *units, size_t count);

/* Ends with a 0 that is not counted; NULL when the bytes are no such text. */
uint16_t *wide_from(const char *text, size_t *count);

#endif
