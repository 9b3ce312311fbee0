#include "outer/start_guard.h"

#include "process/spawn.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool has_ended(int process)
{
	struct pollfd fd = {.fd = process, .events = POLLIN};

	return poll(&fd, 1, 0) != 0;
}

/* Whatever else is open here would keep a line alive after its owner's death. */
_Noreturn static void look_on(int outer, int bwrap, pid_t group)
{
	struct pollfd fds[2] = {{.fd = 0, .events = POLLIN}, {.fd = 1, .events = POLLIN}};

	if (dup2(outer, 0) < 0 || dup2(bwrap, 1) < 0 || syscall(SYS_close_range, 2, ~0U, 0) < 0 ||
	    chdir("/") < 0 || setpgid(0, 0) < 0)
		_exit(1);
	while (poll(fds, 2, -1) < 0 && errno == EINTR)
		;
	/* An outer stage that lives ends what is left by itself. */
	if (has_ended(0))
		kill(-group, SIGKILL);
	_exit(0);
}

int guard_start(pid_t outer)
{
	pid_t group = getpid(), child;
	int fds[2] = {(int)syscall(SYS_pidfd_open, outer, 0),
	              (int)syscall(SYS_pidfd_open, group, 0)};

	/* Before Linux 5.3 there is no such thing; and an outer stage that is dead has no number.
	 */
	if (fds[0] < 0 || fds[1] < 0)
		return errno == ENOSYS ? 0 : -1;
	/* Not a child of bubblewrap's, which has one: that is how the sandbox is found. */
	child = fork();
	if (child == 0) {
		pid_t guard = fork();

		if (guard == 0)
			look_on(fds[0], fds[1], group);
		_exit(guard < 0);
	}
	close(fds[0]);
	close(fds[1]);
	return child < 0 || spawn_wait(child) != 0 ? -1 : 0;
}
