#include "inner/inner.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "filter/choose_filter.h"
#include "inner/canary.h"
#include "inner/landlock.h"
#include "kept/case_alias.h"
#include "messages.h"
#include "outer/inherited.h"
#include "outer/reopened_files.h"
#include "plan.h"
#include "process/descendants.h"
#include "process/find_command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1U << 1)
#endif

struct inner {
	int control;
	int children; /* signalfd for SIGCHLD */
	int go;       /* eventfd: a command that is watched may start */
	pid_t self, command;
	sigset_t mask; /* the caller's */
	struct plan plan;
};

/* ---- locking the door ---------------------------------------------------- */

static int drop_privileges(bool bounded, struct error *err)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}, {0}};

	/* bubblewrap has emptied the bounding set; without it, we do. */
	for (int cap = 0; !bounded && prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		/* Not permitted without CAP_SETPCAP; then no_new_privs has to do. */
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0 && errno != EPERM)
			return error_system(err, "dropping capabilities");
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
		return error_system(err, "dropping capabilities");
	if (syscall(SYS_capset, &header, none) < 0)
		return error_system(err, "dropping capabilities");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_system(err, "no_new_privs");
	return 0;
}

/*
 * The caller's session keyring is not for the command.  Calls on keys are
 * refused by the filter as well, so a full quota is no reason to fail.
 */
static void leave_keyring(void)
{
	if (syscall(SYS_keyctl, 1 /* KEYCTL_JOIN_SESSION_KEYRING */, NULL) < 0)
		errno = 0;
}

static struct seccomp_choice filter_choice(const struct plan *plan, enum watch watch)
{
	return (struct seccomp_choice){
	        /* Without the observer nothing but the filter holds connections. */
	        .net = watch < WATCH_FILES && plan->net == NET_OFF_TOLD ? NET_OFF : plan->net,
	        .watch = watch,
	        .nested = plan->nested,
	        .root = geteuid() == 0,
	        .alone = !plan->confined_by_mounts,
	        .no_writes = !plan->confined_by_mounts && !permissions_writes(&plan->permissions),
	        .brokered = plan->brokered && watch != WATCH_NONE,
	};
}

/* The filter without an observer: refused is refused. */
static int install_filter(const struct plan *plan, struct error *err)
{
	const struct seccomp_choice choice = filter_choice(plan, WATCH_NONE);

	return seccomp_install(&choice, err);
}

static int lock_down(struct inner *inner, struct error *err)
{
	struct plan *plan = &inner->plan;
	int abi;

	leave_keyring();
	/* /proc/1 and its fds, exe and memory are not for processes inside. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return error_system(err, "making the inner stage unreadable");
	if (drop_privileges(plan->confined_by_mounts, err) < 0)
		return -1;
	/* Before Landlock, which would count them among the files that the command opens. */
	if (plan->confined_by_mounts && reopen(plan->reopen, inner->control, err) < 0)
		return -1;
	abi = landlock_apply(&plan->permissions, plan->brokered ? &plan->ground : NULL,
	                     plan->confined_by_mounts, !plan->nested, err);
	if (abi < 0)
		return -1;
	if (abi == 0 && !plan->confined_by_mounts)
		return error_set(err, EXIT_UNAVAILABLE, "no-landlock",
		                 "this kernel has no Landlock");
	/* The answer of an earlier filter would hide the calls from an observer. */
	return plan->watch == WATCH_NONE ? install_filter(plan, err) : 0;
}

/* ---- the command's process ----------------------------------------------- */

static void take_terminal(pid_t group)
{
	cleanup_close int tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

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
	if (!plan->confined_by_mounts &&
	    (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != inner->self))
		return error_system(err, "tying the command to the sandbox");
	if (plan->foreground)
		take_terminal(getpid());
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return error_system(err, "reading limits");
	limit.rlim_cur = plan->nofile;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return error_system(err, "restoring the limit of open files");
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
	const struct seccomp_choice choice = filter_choice(plan, plan->watch);
	struct verdict verdict = {.kind = WATCHED};
	uint64_t word;
	ssize_t n;

	if (plan->watch == WATCH_NONE)
		return 0;
	/* It asks the broker in its own words from here on, which are to be read. */
	if (plan->brokered && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return error_system(err, "making the command readable");
	verdict.number = seccomp_install_watched(&choice);
	if (verdict.number < 0 && plan->brokered)
		return error_system(err, "asking the broker");
	if (verdict.number < 0) {
		verdict.kind = UNWATCHED;
		verdict.number = errno;
		plan->watch = WATCH_NONE;
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
	_exit(verdict.number == ENOENT ? 127 : 126);
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
		return error_set(err, EXIT_SYSTEM, "system", "the command's process is confused");
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

static int start_command(struct inner *inner, struct error *err)
{
	bool watched = inner->plan.watch != WATCH_NONE;
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

/* ---- process 1 ----------------------------------------------------------- */

/* True when the command has ended and the outer stage knows. */
static bool reap(struct inner *inner)
{
	struct signalfd_siginfo drained;
	int status;
	pid_t pid;

	if (read(inner->children, &drained, sizeof(drained)) < 0 && errno != EAGAIN)
		return true;
	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0 ||
	       (pid < 0 && errno == EINTR)) {
		if (pid != inner->command)
			continue;
		if (WIFSTOPPED(status)) {
			if (control_send(inner->control, MESSAGE_STOPPED, WSTOPSIG(status), NULL) <
			    0)
				return true;
			continue;
		}
		control_send(inner->control, MESSAGE_EXITED, status, NULL);
		return true;
	}
	/* The signal was taken and will not come again: no answer is the end. */
	return pid < 0 && errno != ECHILD;
}

/* False when the outer stage is gone. */
static bool obey(struct inner *inner)
{
	struct message message;

	if (control_receive(inner->control, &message) <= 0)
		return false;
	if (message.kind == MESSAGE_CONTINUE) {
		if (message.value)
			take_terminal(inner->command);
		kill(-inner->command, SIGCONT);
	} else if (message.kind == MESSAGE_SIGNAL) {
		kill(-inner->command, message.value);
	}
	return true;
}

static void serve(struct inner *inner)
{
	struct pollfd fds[2] = {
	        {.fd = inner->control, .events = POLLIN},
	        {.fd = inner->children, .events = POLLIN},
	};

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		if (fds[1].revents && reap(inner))
			return;
		if (fds[0].revents && !obey(inner))
			return;
	}
}

/* Waits until the outer stage has written the plan. */
static int receive_plan(struct inner *inner, int fd, struct error *err)
{
	struct message message;

	if (control_send(inner->control, MESSAGE_READY, 0, NULL) < 0 ||
	    control_receive(inner->control, &message) <= 0 || message.kind != MESSAGE_GO)
		return error_set(err, EXIT_SYSTEM, "system", "the outer stage is gone");
	return plan_read(fd, &inner->plan, err);
}

/*
 * The sources of the mounts and whatever else bubblewrap or the outer stage
 * left open are directories and files outside of the sandbox.
 */
static int close_what_set_us_up(const struct inner *inner, struct error *err)
{
	const struct plan *plan = &inner->plan;
	cleanup_free int *keep = xrealloc_array(NULL, plan->keep_count + 2, sizeof(*keep));

	for (size_t i = 0; i < plan->keep_count; i++)
		keep[i] = plan->keep_fds[i];
	keep[plan->keep_count] = inner->control;
	keep[plan->keep_count + 1] = inner->children;
	return inherited_close_others(keep, plan->keep_count + 2, err);
}

static int set_up(struct inner *inner, int plan_fd, struct error *err)
{
	sigset_t all, child;

	sigfillset(&all);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &all, &inner->mask) < 0)
		return error_system(err, "blocking signals");
	inner->children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (inner->children < 0)
		return error_system(err, "signalfd");
	if (receive_plan(inner, plan_fd, err) < 0)
		return -1;
	close(plan_fd);
	if (inner->plan.stderr_fd > 2) {
		if (dup2(inner->plan.stderr_fd, STDERR_FILENO) < 0)
			return error_system(err, "restoring stderr");
		close(inner->plan.stderr_fd);
	}
	if (inner->plan.confined_by_mounts &&
	    (verify_mounts(&inner->plan, err) < 0 || alias_verify(inner->plan.aliases, err) < 0))
		return -1;
	if (!inner->plan.confined_by_mounts && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return error_system(err, "becoming the reaper");
	return lock_down(inner, err) < 0 ? -1 : close_what_set_us_up(inner, err);
}

/*
 * Without a pid namespace our end does not end the others.  We are their
 * reaper, so what is killed or orphaned comes back to us until none is left.
 */
static void end_descendants(pid_t group)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	const struct tree all = {0};
	int status;

	while (tree_kill(&all, group) > 0) {
		while (waitpid(-1, &status, WNOHANG) > 0)
			;
		nanosleep(&moment, NULL);
	}
}

int inner_run(int control, int plan_fd)
{
	struct inner inner = {.control = control, .children = -1, .go = -1, .self = getpid()};
	struct error err = {0};

	if (fcntl(control, F_SETFD, FD_CLOEXEC) < 0 || fcntl(plan_fd, F_SETFD, FD_CLOEXEC) < 0)
		return 125;
	if (set_up(&inner, plan_fd, &err) < 0 || start_command(&inner, &err) < 0) {
		control_send(control, MESSAGE_FAILED, err.exit, err.message);
		return 125;
	}
	serve(&inner);
	if (!inner.plan.confined_by_mounts)
		end_descendants(inner.command);
	return 0;
}

int inner_main(int argc, char *const *argv)
{
	program_name = "sbx-linux-inner";
	json_pool_use();
	if (argc != 4) {
		complain("is started by sbx-linux-sandbox, not by hand");
		return 125;
	}
	return inner_run(atoi(argv[2]), atoi(argv[3]));
}
