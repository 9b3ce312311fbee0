/*
 * Which known word did a person mean?
 */
#ifndef SBX_BASE_NEAREST_WORD_H
#define SBX_BASE_NEAREST_WORD_H

#include <stddef.h>

struct nearest {
	const char *meant;
	const char *word; /* the nearest so far; NULL: none is near */
	size_t len;
	size_t distance;
};

struct nearest nearest_begin(const char *meant);
void nearest_try(struct nearest *nearest, const char *word, size_t len);

#endif
