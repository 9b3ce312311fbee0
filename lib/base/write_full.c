#include "base/write_full.h"

#include <errno.h>
#include <unistd.h>

int write_full(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len > 0) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}
