#include "proc_mount.h"

#ifdef __linux__

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a child of the PID namespace, which is what a fresh /proc shows. */
static int mount_proc(void)
{
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
		return errno;
	return 0;
}

static int wait_for(pid_t child)
{
	int status;

	if (child < 0)
		return errno;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

/* An errno fits an exit status. */
static int in_namespaces(void)
{
	pid_t child;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) < 0)
		return errno;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return errno;
	child = fork();
	if (child == 0)
		_exit(mount_proc());
	return wait_for(child);
}

int proc_mount_try(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(in_namespaces());
	return wait_for(child);
}

#else

#include <errno.h>

int proc_mount_try(void)
{
	return ENOSYS;
}

#endif
