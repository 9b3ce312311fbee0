#include "outer/supervise.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/complain.h"
#include "base/memory.h"
#include "broker/moved.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "gateway/gateway.h"
#include "limits/lost_limits.h"
#include "messages.h"
#include "outer/network_report.h"
#include "process/not_found.h"
#include "process/own_terminal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STILL_RUNNING (-10)
#define UNWATCHED     (-11) /* said so; the command waits for an observer and must be ended */

/*
 * SIGTERM and SIGHUP ask for the end.  The command gets them and this long to
 * obey; a program that ignores them must not run on after its launcher was
 * told to stop.  SIGINT may mean something else to it, and only is passed on.
 */
#define GRACE_MS 800

static void report(const struct supervisor *supervisor, const char *line)
{
	size_t len = strlen(line);

	/* A caller that went away is noticed through the lifeline. */
	if (supervisor->report >= 0 &&
	    (supervisor->lifeline ? send(supervisor->report, line, len, MSG_NOSIGNAL)
	                          : write(supervisor->report, line, len)) < 0)
		errno = 0;
}

void supervisor_unobserved(const struct supervisor *supervisor, const char *why)
{
	char line[256];

	snprintf(line, sizeof(line), "{\"event\":\"unobserved\",\"why\":\"%s\"}\n", why);
	report(supervisor, line);
}

static void name_replaced(const struct supervisor *supervisor)
{
	const char *path = supervisor->lost->mount->path;
	/* Only now: the mount is gone a moment before the name is another. */
	const char *how = held_how(supervisor->watch.held, supervisor->lost);

	complain("\"%s\" was %s outside during the run; the command was ended", path, how);
}

static void name_planted(const struct supervisor *supervisor)
{
	cleanup_free char *path = path_below(supervisor->planted->path, "HEAD");

	complain("\"%s\" was created during the run, beside a .git; the command was ended", path);
}

static void name_moved(const struct moved *moved)
{
	complain("\"%s\" was renamed outside during the run, or a directory above it; the command "
	         "was ended",
	         moved->path);
}

void supervisor_lost(const struct supervisor *supervisor)
{
	if (supervisor->lost)
		name_replaced(supervisor);
	else if (supervisor->observation->moved && supervisor->observation->moved->path)
		name_moved(supervisor->observation->moved);
	else
		name_planted(supervisor);
}

/* 0, or -1 after a line on stderr. */
static int start_observer(const struct supervisor *supervisor, int listener)
{
	struct error err = {0};

	if (listener >= 0 && observe_begin(supervisor->observation, listener, &err) == 0)
		return 0;
	complain("%s", listener < 0 ? "the observer's line did not arrive" : err.message);
	return -1;
}

static void take_terminal_back(struct supervisor *supervisor)
{
	/* Every signal is blocked, SIGTTOU among them. */
	if (supervisor->terminal_given && tcsetpgrp(supervisor->tty, getpgrp()) < 0)
		errno = 0;
	supervisor->terminal_given = false;
}

static void continue_command(struct supervisor *supervisor)
{
	bool foreground = own_terminal_is_ours(supervisor->tty);

	if (foreground)
		supervisor->terminal_given = true;
	control_send(supervisor->control, MESSAGE_CONTINUE, foreground, NULL);
}

/*
 * The command was stopped: our caller, a shell or sbx-run, must see a stopped
 * child, and with ^Z the whole job, because the key reached the command's
 * group alone.  When somebody continues us, the command continues.
 */
static void stop_with_command(struct supervisor *supervisor, int number)
{
	bool had_terminal = supervisor->terminal_given;

	/* Without a terminal nobody would continue us; whoever stopped it continues it. */
	if (supervisor->tty < 0)
		return;
	take_terminal_back(supervisor);
	if ((had_terminal || stop_is_awaited()) &&
	    !stop_as(number, had_terminal && number == SIGTSTP) && number == SIGTSTP)
		continue_command(supervisor);
}

/* An event of ours, with its name. */
static void report_event(const struct supervisor *supervisor, const char *name, json_t *event)
{
	cleanup_json json_t *owned = event;
	cleanup_free char *text = NULL, *line = NULL;

	json_object_set_new(owned, "event", xjson(json_string(name)));
	text = xjson(json_text_dump(owned, JSON_COMPACT));
	line = xasprintf("%s\n", text);
	report(supervisor, line);
}

void supervisor_usage(const struct supervisor *supervisor)
{
	cleanup_json json_t *lost = xjson(json_array());
	size_t i;
	json_t *item;

	lost_limits_add(lost, limiter_lost(supervisor->limiter));
	json_array_foreach (lost, i, item)
		report_event(supervisor, "lost", json_incref(item));
	report_event(supervisor, "usage", usage_json(&supervisor->limiter->usage));
}

static int command_ended(struct supervisor *supervisor, int status)
{
	bool over = limiter_judge(supervisor->limiter, status);
	json_t *limit = limiter_denial(supervisor->limiter);
	char line[64];

	/* Whatever it made of that: it had reached what it was not to have. */
	if (over) {
		supervisor->ended = false;
		status = SIGKILL;
	}
	if (limit)
		report_event(supervisor, "denial", limit);

	take_terminal_back(supervisor);
	network_report_conclude(supervisor->observation, supervisor->report);
	denials_conclude(supervisor->observation->denials);
	if (WIFSIGNALED(status)) {
		snprintf(line, sizeof(line), "{\"event\":\"exit\",\"signal\":%d}\n",
		         WTERMSIG(status));
		report(supervisor, line);
		return 128 + WTERMSIG(status);
	}
	snprintf(line, sizeof(line), "{\"event\":\"exit\",\"code\":%d}\n", WEXITSTATUS(status));
	report(supervisor, line);
	return WEXITSTATUS(status);
}

static int not_started(const char *program, int number)
{
	cleanup_free char *absent = not_found(number) ? not_found_words(program, number) : NULL;

	complain("%s: %s", program, absent ? absent : strerror(number));
	return absent ? 127 : 126;
}

/* True when a protected name is another one than before, or is there though it must not be. */
static bool look_at_names(struct supervisor *supervisor)
{
	supervisor->lost = held_watch_look(&supervisor->watch, now_ms());
	supervisor->planted = plain_roots_look(supervisor->plain);
	return supervisor->lost || supervisor->planted;
}

/* What it did in the last moment counts as well. */
static int command_says_it_ended(struct supervisor *supervisor, int status)
{
	supervisor->lost = held_watch_judge(&supervisor->watch);
	return supervisor->lost ? SUPERVISED_LOST : command_ended(supervisor, status);
}

static int hear_inner(struct supervisor *supervisor)
{
	struct message message;

	if (control_receive(supervisor->control, &message) <= 0)
		return SUPERVISED_DIED;
	switch (message.kind) {
	case MESSAGE_REOPENED:
		if (message.fd < 0)
			return SUPERVISED_DIED;
		reopened_add(&supervisor->reopened, message.value, message.fd);
		return STILL_RUNNING;
	case MESSAGE_SOCKETS:
		supervisor->observation->sockets = message.fd;
		return STILL_RUNNING;
	case MESSAGE_LISTENER:
		if (supervisor->observation->gateway >= 0 &&
		    gateway_give_listener(supervisor->observation->gateway, message.fd) < 0)
			return UNWATCHED;
		return start_observer(supervisor, message.fd) < 0 ? UNWATCHED : STILL_RUNNING;
	case MESSAGE_UNOBSERVED:
		if (supervisor->observation->gateway >= 0) {
			complain("a network by name cannot be held: %s",
			         message.value == EBUSY ? "somebody else observes already"
			                                : strerror(message.value));
			return UNWATCHED;
		}
		if (supervisor->observation->permissions->network == NETWORK_ON)
			report(supervisor,
			       "{\"event\":\"lost\",\"guarantee\":\"host-loopback\",\"why\":\"nobody "
			       "can decide about connections to this machine\",\"cure\":\"run it "
			       "outside of the sandbox around it\"}\n");
		supervisor_unobserved(supervisor, message.value == EBUSY
		                                          ? "somebody else observes already"
		                                          : "the kernel does not allow it");
		return STILL_RUNNING;
	case MESSAGE_STARTED:
		report(supervisor, "{\"event\":\"started\"}\n");
		return STILL_RUNNING;
	case MESSAGE_NOT_STARTED:
		take_terminal_back(supervisor);
		return not_started(message.text, message.value);
	case MESSAGE_FAILED:
		take_terminal_back(supervisor);
		complain("%s", message.text);
		return 125;
	case MESSAGE_STOPPED:
		/* It reads from a terminal that is ours to give, and did not have it. */
		if ((message.value == SIGTTIN || message.value == SIGTTOU) &&
		    own_terminal_is_ours(supervisor->tty))
			continue_command(supervisor);
		else
			stop_with_command(supervisor, message.value);
		return STILL_RUNNING;
	case MESSAGE_HELD:
		host_held(&supervisor->questions, message.value != 0);
		return STILL_RUNNING;
	case MESSAGE_FREED:
		host_freed(&supervisor->questions, message.value != 0);
		return STILL_RUNNING;
	case MESSAGE_EXITED:
		return command_says_it_ended(supervisor, message.value);
	default:
		return SUPERVISED_DIED;
	}
}

static void hear_signal(struct supervisor *supervisor)
{
	struct signalfd_siginfo info;

	if (read(supervisor->signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	if (info.ssi_signo == SIGCONT) {
		continue_command(supervisor);
		return;
	}
	control_send(supervisor->control, MESSAGE_SIGNAL, (int)info.ssi_signo, NULL);
	if ((info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP) && !supervisor->deadline)
		supervisor->deadline = now_ms() + GRACE_MS;
}

static bool is_overdue(const struct supervisor *supervisor)
{
	return supervisor->deadline && now_ms() >= supervisor->deadline;
}

static bool limit_is_reached(const struct supervisor *supervisor)
{
	int64_t now = now_ms();

	return limiter_left(supervisor->limiter, now) == 0 &&
	       limiter_look(supervisor->limiter, now);
}

static int sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

static int time_left(const struct supervisor *supervisor)
{
	long long now = now_ms(), left = supervisor->deadline - now;
	int look = sooner(held_watch_left(&supervisor->watch, now),
	                  limiter_left(supervisor->limiter, now));

	if (!supervisor->deadline)
		return look;
	left = left > 0 ? left : 0;
	return look >= 0 && look < left ? look : (int)left;
}

static int step(struct supervisor *supervisor)
{
	const struct moved *moved = supervisor->observation->moved;
	struct pollfd fds[7] = {
	        {.fd = supervisor->control, .events = POLLIN},
	        {.fd = supervisor->signals, .events = POLLIN},
	        {.fd = supervisor->lifeline ? supervisor->report : -1, .events = POLLIN},
	        {.fd = supervisor->watch.tables[0], .events = POLLPRI},
	        {.fd = supervisor->watch.tables[1], .events = POLLPRI},
	        {.fd = supervisor->observation->gateway, .events = POLLIN},
	        {.fd = moved ? moved->told : -1, .events = POLLIN},
	};

	if (poll(fds, 7, time_left(supervisor)) < 0 && errno != EINTR)
		return SUPERVISED_DIED;
	/* First of all: every moment is one in which the command may write. */
	if (fds[6].revents)
		return SUPERVISED_LOST;
	if ((fds[3].revents || fds[4].revents ||
	     held_watch_left(&supervisor->watch, now_ms()) == 0) &&
	    look_at_names(supervisor))
		return SUPERVISED_LOST;
	if (fds[0].revents) {
		int status = hear_inner(supervisor);

		supervisor->ended = status >= 0 && supervisor->limiter->reached < 0;
		if (status != STILL_RUNNING)
			return status == UNWATCHED ? 125 : status;
	} else if (is_overdue(supervisor) || limit_is_reached(supervisor)) {
		return command_ended(supervisor, SIGKILL);
	}
	if (fds[1].revents)
		hear_signal(supervisor);
	if (fds[5].revents &&
	    !network_report_hear(supervisor->observation, &supervisor->questions)) {
		complain("the gateway to the network died; the command was ended");
		return 125;
	}
	/* Answers, if we asked; and the end of the line means something. */
	return fds[2].revents && !host_hear(&supervisor->questions) ? SUPERVISED_HUNG_UP
	                                                            : STILL_RUNNING;
}

int supervise(struct supervisor *supervisor, struct held *held, pid_t bwrap)
{
	int status;

	limiter_started(supervisor->limiter, bwrap, supervisor->command);
	supervisor->questions.control = supervisor->control;
	supervisor->questions.report = supervisor->report;
	supervisor->questions.gateway = supervisor->observation->gateway;
	held_watch_begin(&supervisor->watch, held, bwrap, now_ms());
	do
		status = step(supervisor);
	while (status == STILL_RUNNING);
	/* The kernel ends all of it at once where a cgroup is out of memory. */
	if (status == SUPERVISED_DIED && limiter_judge(supervisor->limiter, SIGKILL))
		status = command_ended(supervisor, SIGKILL);
	take_terminal_back(supervisor);
	held_watch_end(&supervisor->watch);
	return status;
}

void end_tree(const struct tree *tree, pid_t first, bool by_itself)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	int status;

	/*
	 * We are the reaper: what is killed or orphaned below us comes to us,
	 * so that nothing is left when none is.
	 */
	while (!by_itself && tree_kill(tree, first) > 0) {
		while (waitpid(-1, &status, WNOHANG) > 0)
			;
		nanosleep(&moment, NULL);
	}
	/*
	 * bubblewrap waits for process 1 of the sandbox, and that one's end is
	 * the end of all.
	 */
	while (waitpid(first, &status, 0) < 0 && errno == EINTR)
		;
	/* What they used counts when somebody has waited for them. */
	while (!by_itself && waitpid(-1, &status, WNOHANG) > 0)
		;
}
