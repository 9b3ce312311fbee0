#include "base/read_full.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

ssize_t read_full(int fd, void *buffer, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, (char *)buffer + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

ssize_t read_small(int directory, const char *name, char *text, size_t size)
{
	cleanup_close int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read_full(fd, text, size - 1);

	text[n > 0 ? n : 0] = '\0';
	return n;
}
