/*
 * Runs a command and lets one system call of one of its processes fail, or
 * kills the process there.  strace can fail the Nth call of every process; to
 * reach the calls of the later ones, one process has to be named.
 *
 *	fault RESULT SECONDS - COMMAND...             lists the points in RESULT
 *	fault RESULT SECONDS TASK:CALL:N:WHAT COMMAND...
 *
 * TASK says whose child a process is: 0 is the first, 0.2 its second child.
 * WHAT is the name of an error, KILL, or RUN: the call waits while sh does what
 * $FAULT_RUN says.  Only programs named sbx-* are looked
 * at: what they execute in the end is the command, whose calls are its own.
 *
 * RESULT then has: reached, status (as a shell says it), hung (the command had
 * to be ended after SECONDS), left (processes that outlived the first one by
 * GRACE seconds; they are ended too) and landlock (domains entered).
 */
#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <linux/ptrace.h>
#include <time.h>
#include <unistd.h>

enum { TASKS = 64, CALLS = 512, GRACE = 5, RUN = -1 };

struct task {
	pid_t pid;
	char id[40], program[40];
	int children;
	unsigned counts[CALLS];
	long call;    /* the one under way */
	bool command; /* no longer a program of ours */
	bool held;    /* seen before its birth was told */
	bool failing; /* the call under way is the point */
};

struct point {
	const char *task;
	long call;
	unsigned n;
	int error; /* 0: SIGKILL; RUN */
};

struct run {
	struct task tasks[TASKS];
	struct point point;
	FILE *result;
	pid_t root;
	double deadline;
	int status, left, landlock;
	bool listing, begun, reached, hung;
};

static const struct {
	const char *name;
	int value;
} errors[] = {{"EPERM", EPERM}, {"ENOSYS", ENOSYS}, {"ENOMEM", ENOMEM}, {"EMFILE", EMFILE},
              {"EINTR", EINTR}, {"ENOSPC", ENOSPC}, {"KILL", 0},        {"RUN", RUN}};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- who is who ------------------------------------------------------------ */

static struct task *find(struct run *run, pid_t pid)
{
	for (size_t i = 0; i < TASKS; i++)
		if (run->tasks[i].pid == pid)
			return &run->tasks[i];
	return NULL;
}

/* A child may be seen before the call that made it is: it then has no id yet. */
static struct task *find_or_add(struct run *run, pid_t pid)
{
	struct task *task = find(run, pid);

	if (!task)
		task = find(run, 0);
	if (!task) {
		fprintf(stderr, "fault: more than %d processes\n", TASKS);
		exit(2);
	}
	if (!task->pid)
		*task = (struct task){.pid = pid};
	return task;
}

static void go_on(const struct task *task, int signal)
{
	ptrace(task->command ? PTRACE_CONT : PTRACE_SYSCALL, task->pid, 0, signal);
}

static void born(struct run *run, struct task *parent)
{
	unsigned long pid;
	struct task *task;

	if (ptrace(PTRACE_GETEVENTMSG, parent->pid, 0, &pid) < 0)
		return;
	task = find_or_add(run, (pid_t)pid);
	parent->children++;
	snprintf(task->id, sizeof(task->id), "%.30s.%d", parent->id, parent->children);
	memcpy(task->program, parent->program, sizeof(task->program));
	task->command = parent->command;
	if (task->held)
		go_on(task, 0);
	task->held = false;
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void executed(struct run *run, struct task *task)
{
	char path[64], name[256] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", task->pid);
	file = fopen(path, "re");
	if (file) {
		name[fread(name, 1, sizeof(name) - 1, file)] = '\0';
		fclose(file);
	}
	const char *base = last_component(name);
	/* The stages speak in its name; the helper is several programs by theirs. */
	if (strcmp(base, "sbx-run") == 0) {
		ssize_t length;

		snprintf(path, sizeof(path), "/proc/%d/exe", task->pid);
		length = readlink(path, name, sizeof(name) - 1);
		if (length > 0)
			name[length] = '\0';
		base = last_component(name);
	}
	snprintf(task->program, sizeof(task->program), "%.39s", base);
	task->command = strncmp(base, "sbx-", 4) != 0;
	if (!run->begun)
		memset(task->counts, 0, sizeof(task->counts));
	run->begun = true;
}

/* ---- one call --------------------------------------------------------------- */

/* Calls that cannot fail, and the end of a process. */
static bool cannot_fail(long call)
{
	static const long calls[] = {
	        SYS_exit,    SYS_exit_group,      SYS_rt_sigreturn, SYS_getpid,         SYS_gettid,
	        SYS_getppid, SYS_getuid,          SYS_geteuid,      SYS_getgid,         SYS_getegid,
	        SYS_umask,   SYS_set_tid_address, SYS_getpgrp,      SYS_restart_syscall};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i] == call)
			return true;
	return false;
}

#ifdef __x86_64__
#define NUMBER offsetof(struct user_regs_struct, orig_rax)
#define ANSWER offsetof(struct user_regs_struct, rax)
#else
#define NUMBER 0
#define ANSWER 0
#endif

static void set_register(pid_t pid, size_t offset, long value)
{
	if (ptrace(PTRACE_POKEUSER, pid, offset, value) < 0 && errno != ESRCH)
		die("PTRACE_POKEUSER");
}

static void enter(struct run *run, struct task *task, long call)
{
	const struct point *point = &run->point;

	if (!run->begun || call < 0 || call >= CALLS)
		return;
	task->counts[call]++;
	task->call = call;
	if (run->listing && !cannot_fail(call)) {
		char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)call);

		fprintf(run->result, "%s %s %s %u\n", task->id, task->program, name ? name : "?",
		        task->counts[call]);
		free(name);
	}
	if (run->listing || run->reached || call != point->call || task->counts[call] != point->n ||
	    strcmp(task->id, point->task) != 0)
		return;
	run->reached = true;
	if (!point->error) {
		kill(task->pid, SIGKILL);
		return;
	}
	if (point->error == RUN) {
		if (!getenv("FAULT_RUN") || system(getenv("FAULT_RUN")) != 0)
			die("FAULT_RUN");
		return;
	}
	task->failing = true;
	/* Linux has closed a file even where close() says it failed. */
	if (call != SYS_close)
		set_register(task->pid, NUMBER, -1);
}

static void leave(struct run *run, struct task *task, long result)
{
	if (task->failing)
		set_register(task->pid, ANSWER, -run->point.error);
	else if (task->call == SYS_landlock_restrict_self && result == 0)
		run->landlock++;
	task->failing = false;
}

static void call_stop(struct run *run, struct task *task)
{
	struct ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, task->pid, sizeof(info), &info) < 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		enter(run, task, (long)info.entry.nr);
	else if (info.op == PTRACE_SYSCALL_INFO_EXIT)
		leave(run, task, (long)info.exit.rval);
}

/* ---- the whole run ------------------------------------------------------------ */

static void stopped(struct run *run, pid_t pid, int status)
{
	struct task *task = find_or_add(run, pid);
	int signal = WSTOPSIG(status), event = status >> 16, pass = 0;

	if (!task->id[0] && !run->reached) {
		task->held = true;
		return;
	}
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		born(run, task);
		break;
	case PTRACE_EVENT_EXEC:
		executed(run, task);
		break;
	case PTRACE_EVENT_STOP:
		if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN ||
		    signal == SIGTTOU) {
			ptrace(PTRACE_LISTEN, pid, 0, 0);
			return;
		}
		break;
	default:
		if (signal == (SIGTRAP | 0x80))
			call_stop(run, task);
		else
			pass = signal;
	}
	go_on(task, pass);
}

static void end_all(struct run *run)
{
	for (size_t i = 0; i < TASKS; i++)
		if (run->tasks[i].pid)
			kill(run->tasks[i].pid, SIGKILL);
}

/* The clock ran out: a hang while the first process lives, else leftovers. */
static void too_late(struct run *run)
{
	if (run->root) {
		run->hung = true;
	} else {
		for (size_t i = 0; i < TASKS; i++)
			run->left += run->tasks[i].pid != 0;
	}
	end_all(run);
	run->deadline = now() + 3600;
}

/* Who was killed tells of no birth, and after the point no name matters. */
static void release(struct run *run)
{
	for (size_t i = 0; i < TASKS; i++) {
		if (!run->tasks[i].pid || !run->tasks[i].held)
			continue;
		run->tasks[i].held = false;
		go_on(&run->tasks[i], 0);
	}
}

static void ended(struct run *run, pid_t pid, int status)
{
	struct task *task = find(run, pid);

	if (task)
		task->pid = 0;
	if (run->reached)
		release(run);
	if (pid != run->root)
		return;
	run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	run->root = 0;
	if (!run->hung)
		run->deadline = now() + GRACE;
}

static void follow(struct run *run)
{
	int status;
	pid_t pid;

	/* Every 50 ms, so that the clock is looked at. */
	const struct itimerval tick = {{0, 50000}, {0, 50000}};

	setitimer(ITIMER_REAL, &tick, NULL);
	for (;;) {
		pid = waitpid(-1, &status, __WALL);
		if (pid < 0 && errno != EINTR)
			break;
		if (pid > 0 && WIFSTOPPED(status))
			stopped(run, pid, status);
		else if (pid > 0)
			ended(run, pid, status);
		if (now() > run->deadline)
			too_late(run);
	}
}

static void nothing(int signal)
{
	(void)signal;
}

static void start(struct run *run, char **argv)
{
	struct sigaction tick = {.sa_handler = nothing};
	struct task *task;
	int ends[2];
	char byte;

	if (pipe(ends) < 0)
		die("pipe");
	run->root = fork();
	if (run->root < 0)
		die("fork");
	if (run->root == 0) {
		close(ends[1]);
		if (read(ends[0], &byte, 1) == 1) {
			close(ends[0]);
			execv(argv[0], argv);
			perror(argv[0]);
		}
		_exit(127);
	}
	close(ends[0]);
	if (ptrace(PTRACE_SEIZE, run->root, 0,
	           PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
	                   PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) < 0 ||
	    ptrace(PTRACE_INTERRUPT, run->root, 0, 0) < 0)
		die("ptrace");
	task = find_or_add(run, run->root);
	strcpy(task->id, "0");
	if (sigaction(SIGALRM, &tick, NULL) < 0 || write(ends[1], "", 1) != 1)
		die("starting");
	close(ends[1]);
}

/* TASK:CALL:N:WHAT */
static void read_point(char *text, struct run *run)
{
	char *call, *n, *what;

	run->listing = strcmp(text, "-") == 0;
	if (run->listing)
		return;
	run->point.task = strtok(text, ":");
	call = strtok(NULL, ":");
	n = strtok(NULL, ":");
	what = strtok(NULL, ":");
	run->point.call = call ? seccomp_syscall_resolve_name(call) : -1;
	run->point.n = n ? (unsigned)atoi(n) : 0;
	for (size_t i = 0; what && i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (strcmp(errors[i].name, what) == 0) {
			run->point.error = errors[i].value;
			if (run->point.call >= 0 && run->point.n > 0)
				return;
		}
	}
	fprintf(stderr, "fault: not a point: TASK:CALL:N:WHAT\n");
	exit(2);
}

int main(int argc, char **argv)
{
	static struct run run;

#ifndef __x86_64__
	fprintf(stderr, "fault: registers are known for x86_64 only\n");
	return 2;
#endif
	if (argc < 5) {
		fprintf(stderr, "usage: fault RESULT SECONDS -|TASK:CALL:N:WHAT COMMAND...\n");
		return 2;
	}
	run.result = fopen(argv[1], "we");
	if (!run.result)
		die(argv[1]);
	read_point(argv[3], &run);
	run.deadline = now() + atof(argv[2]);
	start(&run, argv + 4);
	follow(&run);
	if (!run.listing)
		fprintf(run.result, "reached=%d status=%d hung=%d left=%d landlock=%d\n",
		        run.reached, run.status, run.hung, run.left, run.landlock);
	return fclose(run.result) == 0 ? 0 : 2;
}
