#include "linux/broker_fit.h"

#ifdef __linux__

#include "base/cleanup.h"
#include "process/own_proc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* From 2 on nobody reads another process's memory without a capability. */
static bool yama_allows(void)
{
	cleanup_close int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
	char scope;

	if (fd < 0)
		return errno == ENOENT;
	return read(fd, &scope, 1) == 1 && (scope == '0' || scope == '1');
}

/* In a child: a filter stays for good. */
static int try_listener(void)
{
	struct sock_filter code[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog all = {.len = 1, .filter = code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &all) <
	            0)
		return errno & 0x7f;
	return 0;
}

/* 0, or the errno of listening to system calls. */
static int listener_obstacle(void)
{
	int status = 0;
	pid_t child = fork(), ended;

	if (child == 0)
		_exit(try_listener());
	if (child < 0)
		return errno;
	do
		ended = waitpid(child, &status, 0);
	while (ended < 0 && errno == EINTR);
	return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

bool broker_works(const char **why)
{
	unsigned action = SECCOMP_RET_USER_NOTIF;
	int obstacle;

	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) < 0) {
		*why = "the kernel has no seccomp notification";
		return false;
	}
	if (!yama_allows()) {
		*why = "kernel.yama.ptrace_scope is 2 or more";
		return false;
	}
	if (!proc_is_own()) {
		*why = "the /proc here is not of this process namespace";
		return false;
	}
	obstacle = listener_obstacle();
	*why = obstacle == EBUSY ? "somebody listens to system calls already"
	                         : "seccomp notification is refused here";
	return obstacle == 0;
}

#else

bool broker_works(const char **why)
{
	*why = "it needs Linux";
	return false;
}

#endif
