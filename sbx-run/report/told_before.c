#include "report/told_before.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>

/* The directory of a login ends with it, at the latest with the machine. */
enum told told(const char *what)
{
	const char *directory = getenv("XDG_RUNTIME_DIR");
	cleanup_free char *path = NULL;
	cleanup_close int fd = -1;

	if (!directory || directory[0] != '/')
		return TOLD_UNKNOWN;
	path = xasprintf("%s/sbx-told-%s", directory, what);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		return TOLD_NEVER;
	return errno == EEXIST ? TOLD_BEFORE : TOLD_UNKNOWN;
}
