#include "inner/inner.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "inner/canary.h"
#include "inner/command_process.h"
#include "inner/lock_down.h"
#include "kept/case_alias.h"
#include "messages.h"
#include "outer/inherited.h"
#include "process/descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
		/* While all are held, it is our own doing. */
		if (WIFSTOPPED(status) && inner->hold.held)
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
	} else if (message.kind == MESSAGE_HOLD) {
		control_send(inner->control, MESSAGE_HELD, hold_begin(&inner->hold), NULL);
	} else if (message.kind == MESSAGE_FREE) {
		control_send(inner->control, MESSAGE_FREED, hold_end(&inner->hold), NULL);
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
	if (!inner->plan.filter.alone &&
	    (verify_mounts(&inner->plan, err) < 0 || alias_verify(inner->plan.aliases, err) < 0))
		return -1;
	if (inner->plan.filter.alone && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
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
	if (inner.plan.filter.alone)
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
