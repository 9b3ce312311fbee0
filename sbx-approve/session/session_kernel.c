#include "session/session_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>

int kernel_process_fd(pid_t pid, struct error *err)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? error_system(err, "watching process %ld", (long)pid) : fd;
}

int kernel_signal_fd(const sigset_t *set, struct error *err)
{
	int fd;

	sigprocmask(SIG_BLOCK, set, NULL);
	fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? error_system(err, "receiving signals") : fd;
}

bool kernel_die_with_parent(pid_t parent)
{
	return prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) == 0 && getppid() == parent;
}

void kernel_adopt_orphans(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int kernel_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

int kernel_accept(int listener)
{
	return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

#else

#include <sys/event.h>
#include <sys/time.h>

static int close_on_exec(int fd)
{
	if (fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
		int saved = errno;

		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

int kernel_process_fd(pid_t pid, struct error *err)
{
	int fd = close_on_exec(kqueue());
	struct kevent event;

	EV_SET(&event, pid, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
	if (fd >= 0 && kevent(fd, &event, 1, NULL, 0, NULL) == 0)
		return fd;
	error_system(err, "watching process %ld", (long)pid);
	if (fd >= 0)
		close(fd);
	return -1;
}

int kernel_signal_fd(const sigset_t *set, struct error *err)
{
	int fd = close_on_exec(kqueue()), failed = fd < 0;

	for (int number = 1; number < NSIG && !failed; number++) {
		struct kevent event;

		if (sigismember(set, number) != 1)
			continue;
		/* A queue also sees what is ignored. */
		signal(number, SIG_IGN);
		EV_SET(&event, number, EVFILT_SIGNAL, EV_ADD, 0, 0, NULL);
		failed = kevent(fd, &event, 1, NULL, 0, NULL) < 0;
	}
	if (!failed)
		return fd;
	error_system(err, "receiving signals");
	if (fd >= 0)
		close(fd);
	return -1;
}

bool kernel_die_with_parent(pid_t parent)
{
	return getppid() == parent;
}

void kernel_adopt_orphans(void)
{
}

int kernel_socket(void)
{
	return close_on_exec(socket(AF_UNIX, SOCK_STREAM, 0));
}

int kernel_accept(int listener)
{
	return close_on_exec(accept(listener, NULL, NULL));
}

#endif
