#include "supervise/signals.h"

#include "process/this_kernel.h"

#include <string.h>

/* Every other signal keeps its action: SIGSEGV is a bug, SIGKILL has no say. */
static const int supervised[] = {
        SIGCHLD,                    /* the command ended or stopped */
        SIGHUP,   SIGINT,  SIGQUIT, /* handed on */
        SIGTERM,  SIGUSR1, SIGUSR2, /* handed on */
        SIGTSTP,  SIGTTIN, SIGTTOU, /* the job is to stop; blocked, TTOU lets us tcsetpgrp() */
        SIGCONT,                    /* the job goes on */
        SIGWINCH,                   /* for a command that is not in the foreground group */
};

void inherited_save(struct inherited *inherited)
{
	sigaction(SIGPIPE, NULL, &inherited->pipe);
	sigaction(SIGCHLD, NULL, &inherited->child);
	sigprocmask(SIG_SETMASK, NULL, &inherited->mask);
	/* With SIGCHLD ignored the kernel would throw the exit status away. */
	signal(SIGCHLD, SIG_DFL);
}

void inherited_restore(const struct inherited *inherited, bool waits)
{
	sigaction(SIGPIPE, &inherited->pipe, NULL);
	/* A helper that is to wait for the command needs what we needed. */
	if (!waits)
		sigaction(SIGCHLD, &inherited->child, NULL);
	sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
}

int signals_open(struct error *err)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(supervised) / sizeof(supervised[0]); i++) {
		struct sigaction found;

		/* A blocked signal is queued even when it is ignored: leave those alone. */
		sigaction(supervised[i], NULL, &found);
		if (found.sa_handler != SIG_IGN)
			sigaddset(&set, supervised[i]);
	}
	/* tcsetpgrp() from the background must neither stop us nor fail. */
	sigaddset(&set, SIGTTOU);
	return kernel_signal_fd(&set, err);
}

void signals_close(int fd, const struct inherited *inherited)
{
	kernel_signal_close(fd);
	sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
}

bool signals_next(int fd, struct arrival *arrival)
{
	return kernel_signal_read(fd, &arrival->number, &arrival->keyboard);
}
