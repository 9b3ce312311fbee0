/*
 * What a process is, holds, and can do to others.
 */
#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static long try_ptrace_traceme(char **argv)
{
	(void)argv;
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static long try_ptrace(char **argv)
{
	return in_child(try_ptrace_traceme, argv);
}

static long try_ptrace_seize(char **argv)
{
	return ptrace(PTRACE_SEIZE, atoi(argv[0]), NULL, NULL);
}

static long try_vm_readv(char **argv)
{
	char from = 'x', to = 0;
	struct iovec local = {&to, 1}, remote = {&from, 1};
	(void)argv;
	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
}

static long try_vm_writev(char **argv)
{
	char from = 'x', to = 0;
	struct iovec local = {&from, 1}, remote = {&to, 1};
	(void)argv;
	return process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
}

/* kill PID SIGNAL: 0 is the own group, -1 everybody */
static long try_kill(char **argv)
{
	int number = argv[1] ? atoi(argv[1]) : SIGTERM;
	signal(number, SIG_IGN);
	return kill(atoi(argv[0]), number);
}

static long try_pidfd_open(char **argv)
{
	return syscall(SYS_pidfd_open, atoi(argv[0]), 0);
}

/* By number, and far above any limit: a lowered limit closes nothing. */
static long try_fds(char **argv)
{
	(void)argv;
	for (int fd = 0; fd < 1 << 20; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("fd %d\n", fd);
	return 0;
}

static long try_nnp(char **argv)
{
	(void)argv;
	printf("no_new_privs %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	return 0;
}

/* Every capability set of this process, one line each. */
static long try_caps(char **argv)
{
	char line[256];
	FILE *file = fopen("/proc/self/status", "re");
	(void)argv;
	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		if (strncmp(line, "Cap", 3) == 0)
			fputs(line, stdout);
	fclose(file);
	return 0;
}

/* Does a setuid bit in the file system still mean anything? */
static long try_setuid(char **argv)
{
	return setuid((uid_t)atoi(argv[0]));
}

static const struct word namespaces[] = {
        {"user", CLONE_NEWUSER}, {"net", CLONE_NEWNET}, {"ns", CLONE_NEWNS},
        {"pid", CLONE_NEWPID},   {"ipc", CLONE_NEWIPC}, {"uts", CLONE_NEWUTS},
        {"cgroup", 0x02000000},  {"time", 0x80},        {NULL, 0},
};

static long try_unshare(char **argv)
{
	return unshare(word_value(namespaces, argv[0]));
}

static long try_unshare_high(char **argv)
{
	return syscall(SYS_unshare, word_value(namespaces, argv[0]) | 1L << 32);
}

static long try_clone(char **argv)
{
	long child = syscall(SYS_clone, word_value(namespaces, argv[0]) | SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		_exit(0);
	return child;
}

static long try_clone3(char **argv)
{
	unsigned long long arguments[8] = {(unsigned long long)word_value(namespaces, argv[0]), 0,
	                                   0, 0, SIGCHLD};
	long child = syscall(SYS_clone3, arguments, sizeof(arguments));
	if (child == 0)
		_exit(0);
	return child;
}

/* setns PATH */
static long try_setns(char **argv)
{
	int fd = open(argv[0], O_RDONLY | O_CLOEXEC);
	return setns(fd < 0 ? 0 : fd, 0);
}

/* tiocsti low|high FD-or-path; the byte is a letter that does nothing */
static long terminal(char **argv, unsigned long request, void *argument)
{
	int fd = argv[1][0] == '/' ? open(argv[1], O_RDWR | O_NOCTTY | O_CLOEXEC) : atoi(argv[1]);
	if (fd < 0)
		return -1;
	if (strcmp(argv[0], "high") == 0)
		request |= 1UL << 32;
	return syscall(SYS_ioctl, fd, request, argument);
}

static long try_tiocsti(char **argv)
{
	char byte = 'Q';
	return terminal(argv, TIOCSTI, &byte);
}

static long try_tioclinux(char **argv)
{
	char sub = 6; /* TIOCL_GETSHIFTSTATE: asks, changes nothing */
	return terminal(argv, TIOCLINUX, &sub);
}

/* Sleeps through every signal that can be ignored, in a session of its own. */
static long try_stay(char **argv)
{
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_IGN);
	setsid();
	sleep((unsigned)atoi(argv[0]));
	return 0;
}

const struct attempt process_attempts[] = {
        {"ptrace", 0, try_ptrace},
        {"ptrace-seize", 1, try_ptrace_seize},
        {"process_vm_readv", 0, try_vm_readv},
        {"process_vm_writev", 0, try_vm_writev},
        {"kill", 1, try_kill},
        {"pidfd_open", 1, try_pidfd_open},
        {"fds", 0, try_fds},
        {"nnp", 0, try_nnp},
        {"caps", 0, try_caps},
        {"setuid", 1, try_setuid},
        {"unshare", 1, try_unshare},
        {"unshare-high", 1, try_unshare_high},
        {"clone", 1, try_clone},
        {"clone3", 1, try_clone3},
        {"setns", 1, try_setns},
        {"tiocsti", 2, try_tiocsti},
        {"tioclinux", 2, try_tioclinux},
        {"stay", 1, try_stay},
        {NULL, 0, NULL},
};
