#include "inner/command_process.h"

#include "base/cleanup.h"
#include "inner/canary.h"
#include "inner/lock_down.h"
#include "limits/own_limits.h"
#include "messages.h"
#include "outer/inherited.h"
#include "process/find_command.h"
#include "process/not_found.h"
#include "process/own_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1U << 1)
#endif

void take_terminal(pid_t group)
{
	cleanup_close int tty = own_terminal_open();

	/* SIGTTOU is blocked here; without a terminal there is nothing to take. */
	if (tty >= 0 && tcsetpgrp(tty, group) < 0)
		errno = 0;
}

static int prepare_command(const struct inner *inner, struct error *err)
{
	const struct plan *plan = &inner->plan;
	struct rlimit limit;

	if (setpgid(0, 0) < 0)
		return error_system(err, "making a process group");
	if (plan->filter.alone &&
	    (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != inner->self))
		return error_system(err, "tying the command to the sandbox");
	if (plan->foreground)
		take_terminal(getpid());
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return error_system(err, "reading limits");
	limit.rlim_cur = plan->nofile;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return error_system(err, "restoring the limit of open files");
	if (own_limits_set(plan->processes, plan->file_size) < 0)
		return error_system(err, "limiting processes and files");
	if (chdir(plan->cwd) < 0)
		return error_system(err, "cwd: \"%s\"", plan->cwd);
	return 0;
}

/* What the command's process says before it is the command; an empty pipe: all is well. */
struct verdict {
	enum { BROKEN, NOT_EXECUTED, WATCHED, UNWATCHED } kind;
	int number; /* errno of execve() or of being watched; the listener's fd */
	struct error error;
};

static void say(int fd, const struct verdict *verdict)
{
	if (write(fd, verdict, sizeof(*verdict)) != (ssize_t)sizeof(*verdict))
		_exit(125);
}

/*
 * The filter that asks the observer.  Where somebody else watches already, as
 * in a sandbox inside a sandbox, there can be no second one.
 */
static int be_watched(const struct inner *inner, struct plan *plan, int verdict_fd,
                      struct error *err)
{
	struct verdict verdict = {.kind = WATCHED};
	uint64_t word;
	ssize_t n;

	if (plan->filter.watch == WATCH_NONE)
		return 0;
	/* It asks the broker in its own words from here on, which are to be read. */
	if (plan->filter.brokered && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return error_system(err, "making the command readable");
	verdict.number = seccomp_install_watched(&plan->filter);
	if (verdict.number < 0 && plan->filter.brokered)
		return error_system(err, "asking the broker");
	if (verdict.number < 0) {
		verdict.kind = UNWATCHED;
		verdict.number = errno;
		plan->filter.watch = WATCH_NONE;
		if (install_filter(plan, err) < 0)
			return -1;
	}
	say(verdict_fd, &verdict);
	/* Until process 1 has done its part nothing may run; if it cannot, it ends us. */
	do
		n = read(inner->go, &word, sizeof(word));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(word) ? 0 : error_system(err, "waiting for the observer");
}

static void become_command(struct inner *inner, int verdict_fd)
{
	struct plan *plan = &inner->plan;
	struct verdict verdict = {.kind = BROKEN};
	struct search search;

	search_begin(&search, plan->argv[0], plan->argv, plan->env);
	if (prepare_command(inner, &verdict.error) == 0 &&
	    be_watched(inner, plan, verdict_fd, &verdict.error) == 0 &&
	    canary(plan, &verdict.error) == 0 &&
	    inherited_only(plan->keep_fds, plan->keep_count, &verdict.error) == 0) {
		verdict.kind = NOT_EXECUTED;
		if (sigprocmask(SIG_SETMASK, &inner->mask, NULL) == 0)
			verdict.number = search_execute(&search, plan->argv, plan->env);
		else
			verdict.number = errno;
	}
	say(verdict_fd, &verdict);
	_exit(not_found(verdict.number) ? 127 : 126);
}

/* The next word of the command's process; false: it executes, or is dead. */
static bool hear(int fd, struct verdict *verdict)
{
	ssize_t n;

	do
		n = read(fd, verdict, sizeof(*verdict));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*verdict);
}

/* While the process shares our files the pipe cannot end; its death has to tell. */
static bool hear_or_end(const struct inner *inner, int fd, struct verdict *verdict)
{
	struct pollfd fds[2] = {
	        {.fd = fd, .events = POLLIN},
	        {.fd = inner->children, .events = POLLIN},
	};

	while (poll(fds, 2, -1) < 0)
		if (errno != EINTR)
			return false;
	return fds[0].revents && hear(fd, verdict);
}

/*
 * Our files are our own again.  Docker's filter refuses unshare() whatever is
 * asked of it; closing a range in which nothing can be open does the same.
 */
static int stop_sharing_files(struct error *err)
{
	if (syscall(SYS_unshare, CLONE_FILES) == 0 ||
	    syscall(SYS_close_range, ~0U, ~0U, CLOSE_RANGE_UNSHARE) == 0)
		return 0;
	return error_system(err, "unshare");
}

/*
 * Which sockets there are is asked in their own network namespace; one that
 * cannot answer still says which namespace that is.  A sandbox around us may
 * refuse either.
 */
static int socket_of_namespace(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	if (fd < 0)
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return fd < 0 ? socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE) : fd;
}

/*
 * The observer outside gets the listener from us: the process itself could
 * not send it, because its own sendmsg() already waits for an answer.  It
 * shares our files for this moment, so the fd is ours as well.
 */
static int pass_listener(struct inner *inner, const struct verdict *verdict, struct error *err)
{
	const uint64_t word = 1;
	int sent;

	if (stop_sharing_files(err) < 0)
		return -1;
	if (verdict->kind == UNWATCHED) {
		sent = control_send(inner->control, MESSAGE_UNOBSERVED, verdict->number, NULL);
	} else {
		cleanup_close int sockets = socket_of_namespace();

		if (sockets < 0)
			return error_system(err, "socket");
		sent = control_send_fd(inner->control, MESSAGE_SOCKETS, 0, sockets);
		if (sent == 0)
			sent = control_send_fd(inner->control, MESSAGE_LISTENER, 0,
			                       verdict->number);
		close(verdict->number);
	}
	if (sent < 0)
		return error_system(err, "reporting");
	if (install_filter(&inner->plan, err) < 0)
		return -1;
	if (write(inner->go, &word, sizeof(word)) != (ssize_t)sizeof(word))
		return error_system(err, "starting the command");
	return 0;
}

static int conclude(struct inner *inner, const struct verdict *verdict, struct error *err)
{
	if (verdict->kind == BROKEN) {
		*err = verdict->error;
		return -1;
	}
	if (verdict->kind != NOT_EXECUTED)
		return error_set(err, EXIT_SYSTEM, "system",
		                 "internal error: unexpected message from the command's process");
	if (control_send(inner->control, MESSAGE_NOT_STARTED, verdict->number,
	                 inner->plan.argv[0]) < 0)
		return error_system(err, "reporting");
	_exit(0);
}

/* The first word of a process that is to be watched: how that went. */
static int begin_watch(struct inner *inner, const int *ends, struct error *err)
{
	struct verdict verdict;

	if (!hear_or_end(inner, ends[0], &verdict))
		return error_set(err, EXIT_SYSTEM, "system",
		                 "the command's process died before it started");
	if (verdict.kind == BROKEN || verdict.kind == NOT_EXECUTED)
		return conclude(inner, &verdict, err);
	return pass_listener(inner, &verdict, err);
}

int start_command(struct inner *inner, struct error *err)
{
	bool watched = inner->plan.filter.watch != WATCH_NONE;
	struct verdict verdict;
	int ends[2];

	inner->go = watched ? eventfd(0, EFD_CLOEXEC) : -1;
	if (pipe2(ends, O_CLOEXEC) < 0 || (watched && inner->go < 0))
		return error_system(err, "making a pipe");
	inner->command =
	        watched ? (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0) : fork();
	if (inner->command < 0)
		return error_system(err, "fork");
	if (inner->command == 0)
		become_command(inner, ends[1]);
	if (watched && begin_watch(inner, ends, err) < 0)
		return -1;
	if (watched)
		close(inner->go);
	close(ends[1]);
	if (hear(ends[0], &verdict))
		return conclude(inner, &verdict, err);
	close(ends[0]);
	/* They are the command's alone now. */
	for (size_t i = 0; i < inner->plan.keep_count; i++)
		close(inner->plan.keep_fds[i]);
	return control_send(inner->control, MESSAGE_STARTED, 0, NULL) < 0
	               ? error_system(err, "reporting")
	               : 0;
}
