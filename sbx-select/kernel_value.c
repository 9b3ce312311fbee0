#include "kernel_value.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>

bool kernel_text(const char *path, char *text, size_t size)
{
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	do
		n = read(fd, text, size - 1);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return false;
	text[n] = '\0';
	return true;
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
