/*
 * Where in a table in memory is a string looked for?  FNV-1a.
 *
 * Whoever knows it can make collisions, so a table must stay right, and small,
 * when everything falls into one slot.
 */
#ifndef SBX_BASE_HASH_H
#define SBX_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t hash_bytes(const char *bytes, size_t len)
{
	uint64_t hash = 14695981039346656037U;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211U;
	return hash;
}

#endif
