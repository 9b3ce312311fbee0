#include "process/job_stop.h"

#include <signal.h>
#include <unistd.h>

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
