#include "process/own_terminal.h"

#include <fcntl.h>
#include <signal.h>
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

bool stop_is_awaited(void)
{
	pid_t parent = getppid();

	/* 0: in another process namespace, where a shell may well be. */
	return parent == 0 || getpgid(parent) != getpgrp();
}

bool stop_as(int number, bool whole_group)
{
	sigset_t only, before, pending;

	sigemptyset(&only);
	sigaddset(&only, number);
	kill(whole_group ? 0 : getpid(), number);
	sigprocmask(SIG_UNBLOCK, &only, &before);
	/* Here we are stopped. */
	sigprocmask(SIG_SETMASK, &before, NULL);
	return sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1;
}
