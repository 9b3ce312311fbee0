/*
 * Is this text the one that somebody looked at?  SHA-256 (FIPS 180-4).
 */
#ifndef SBX_BASE_SHA256_H
#define SBX_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t state[8];
	uint64_t length; /* in bytes */
	unsigned char block[64];
};

/* "sha256:" and 64 hexadecimal digits. */
#define SHA256_TEXT_SIZE (7 + 64 + 1)

void sha256_begin(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *bytes, size_t len);
void sha256_end(struct sha256 *sha, char text[SHA256_TEXT_SIZE]);

/* All of it at once. */
void sha256_text(const void *bytes, size_t len, char text[SHA256_TEXT_SIZE]);

#endif
