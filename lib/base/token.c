#include "base/token.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

bool token_make(char token[TOKEN_SIZE])
{
	unsigned char bytes[(TOKEN_SIZE - 1) / 2];

	if (getentropy(bytes, sizeof(bytes)) < 0)
		return false;
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	return true;
}
