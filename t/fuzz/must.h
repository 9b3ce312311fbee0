/* What every harness has: the entry, and the end of one that found something. */
#ifndef SBX_FUZZ_MUST_H
#define SBX_FUZZ_MUST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(bool holds)
{
	if (!holds)
		__builtin_trap();
}

#endif
