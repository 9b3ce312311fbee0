#include "formats/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

int write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		struct pollfd ready = {.fd = fd, .events = POLLOUT};
		ssize_t n = write(fd, text, len);

		if (n >= 0) {
			text += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			if (poll(&ready, 1, -1) < 0 && errno != EINTR)
				return -1;
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return 0;
}

int end_file(int fd)
{
	off_t end = lseek(fd, 0, SEEK_CUR);
	int flags = fcntl(fd, F_GETFL);
	struct stat st;

	/* What appends has ours as the last of all anyway. */
	if (end < 0 || flags < 0 || (flags & O_APPEND) || fstat(fd, &st) < 0 ||
	    !S_ISREG(st.st_mode) || st.st_size <= end)
		return 0;
	return ftruncate(fd, end);
}
