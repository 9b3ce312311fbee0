#include "kernel_value.h"

#include "base/read_full.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

bool kernel_text(const char *path, char *text, size_t size)
{
	return read_small(AT_FDCWD, path, text, size) >= 0;
}

long kernel_number(const char *path, long otherwise)
{
	char text[32], *end;
	long value;

	if (!kernel_text(path, text, sizeof(text)))
		return otherwise;
	errno = 0;
	value = strtol(text, &end, 10);
	return end == text || errno ? otherwise : value;
}
