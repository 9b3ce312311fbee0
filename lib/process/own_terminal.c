#include "process/own_terminal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int own_terminal_open(void)
{
	return open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
}

bool own_terminal_is_ours(int fd)
{
	return fd >= 0 && tcgetpgrp(fd) == getpgrp();
}

/* Another process at the end of a pipe may be in our group and read the keyboard. */
static bool is_shared_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

bool own_terminal_goes_to_command(int fd)
{
	return getpgrp() == getpid() && own_terminal_is_ours(fd) && !is_shared_pipe(STDIN_FILENO) &&
	       !is_shared_pipe(STDOUT_FILENO);
}
