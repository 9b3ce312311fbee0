#include "repositories/git_part.h"

#include "base/cleanup.h"
#include "kept/put_aside.h"

#include <errno.h>
#include <fcntl.h>

int git_directory_open(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	cleanup_close int path = -1;

	if (fd >= 0 || errno != EACCES)
		return fd;
	path = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return path < 0 ? -1 : directory_open_to_list(path);
}
