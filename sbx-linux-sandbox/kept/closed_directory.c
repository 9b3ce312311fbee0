#include "kept/closed_directory.h"

#include "fs/fd_path.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

int directory_open_up(struct reopened_directory *directory, int fd)
{
	struct stat st;

	*directory = (struct reopened_directory){.fd = fd};
	if (fstat(fd, &st) < 0)
		return -1;
	directory->mode = st.st_mode & 07777;
	if ((st.st_mode & S_IRWXU) == S_IRWXU)
		return 0;
	if (fd_chmod(fd, directory->mode | S_IRWXU) < 0)
		return -1;
	directory->changed = true;
	return 0;
}

void directory_close_again(const struct reopened_directory *directory)
{
	int number = errno;

	/* Too open rather than lost; what it holds is for its owner alone. */
	if (directory->changed && fd_chmod(directory->fd, directory->mode) < 0)
		number = errno;
	errno = number;
}

int directory_open_to_list(int fd)
{
	struct reopened_directory opened;
	char self[FD_PATH_MAX];

	if (directory_open_up(&opened, fd) < 0)
		return -1;
	return open(fd_path(fd, self), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}
