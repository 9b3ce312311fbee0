#include "supervise/supervise.h"

#include "base/clock.h"
#include "supervise/job_control.h"
#include "supervise/signals.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each step is taken when its time has come; there is at most one ahead. */
enum step {
	STEP_NONE,
	STEP_TIMEOUT, /* ask the command to end */
	STEP_KILL,    /* end it */
	STEP_FORCE,   /* the helper did not: end it and everything below ourselves */
	STEP_LEAVE,   /* something cannot be killed, or keeps a captured pipe open */
};

#define TERM_GRACE_MS   200
#define HELPER_GRACE_MS 2000
#define LEAVE_MS        2000

struct state {
	const struct supervised *what;
	enum step next;
	int64_t at; /* when the next step is due */
	int64_t began, finished;
	bool ended; /* the child has been waited for, with this status: */
	int status;
	bool timed_out, limited, abandoned;
	bool killing; /* we kill the tree ourselves, until nothing is left */
	bool left;
};

static void plan_step(struct state *s, enum step next, int64_t after_ms)
{
	s->next = next;
	s->at = now_ms() + after_ms;
}

static void kill_tree(struct state *s)
{
	if (!s->killing)
		plan_step(s, STEP_LEAVE, LEAVE_MS);
	s->killing = true;
	/* Gone when nothing is alive and the command's own end was seen. */
	if (tree_kill(s->what->tree, s->what->pid) == 0 && s->ended)
		s->left = true;
}

/* After the signal has been sent, so that it is there when the command goes on. */
static void stop_asking(const struct state *s)
{
	const struct supervised *w = s->what;

	host_questions_end(w->questions, w->sandboxed ? w->report->fd : -1);
}

static void ask_to_end(struct state *s)
{
	kill(s->what->pid, SIGTERM);
	kill(-s->what->pid, SIGCONT); /* what is stopped could not end */
	stop_asking(s);
	plan_step(s, STEP_KILL, TERM_GRACE_MS);
}

static void take_step(struct state *s)
{
	const struct supervised *w = s->what;

	switch (s->next) {
	case STEP_NONE:
		break;
	case STEP_TIMEOUT:
		s->timed_out = true;
		ask_to_end(s);
		break;
	case STEP_KILL:
		if (!w->sandboxed) {
			kill_tree(s);
			break;
		}
		report_hang_up(w->report);
		kill(-w->pid, SIGCONT);
		plan_step(s, STEP_FORCE, HELPER_GRACE_MS);
		break;
	case STEP_FORCE:
		kill_tree(s);
		break;
	case STEP_LEAVE:
		s->left = true;
		break;
	}
}

/* True when the helper did what was agreed: it reported an end, or a failure of its own. */
static bool helper_kept_its_word(const struct state *s)
{
	const struct report *r = s->what->report;

	if (!WIFEXITED(s->status))
		return false;
	return r->exited || (WEXITSTATUS(s->status) >= 125 && WEXITSTATUS(s->status) <= 127);
}

static void child_ended(struct state *s, int status)
{
	const struct supervised *w = s->what;

	s->ended = true;
	s->status = status;
	s->finished = now_ms();
	s->limited = !w->sandboxed && limiter_judge(w->limiter, status);
	host_questions_end(w->questions, -1);
	terminal_take(w->terminal);
	if (w->sandboxed)
		report_read(w->report);
	if (s->timed_out || s->abandoned || s->limited ||
	    (w->sandboxed && !helper_kept_its_word(s)) ||
	    (!w->sandboxed && limiter_ends_all(w->limiter)))
		kill_tree(s);
	else
		plan_step(s, STEP_LEAVE, LEAVE_MS);
}

/* Waits for all that have changed; orphans that became ours are just buried. */
static void children_changed(struct state *s)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0 ||
	       (pid < 0 && errno == EINTR)) {
		if (pid != s->what->pid)
			continue;
		if (WIFSTOPPED(status))
			job_stopped(s->what, WSTOPSIG(status));
		else
			child_ended(s, status);
	}
	/* The signal was taken and will not come again: no answer is the end. */
	if (pid < 0 && errno != ECHILD && !s->ended)
		child_ended(s, SIGKILL);
	if (s->killing)
		kill_tree(s);
}

/* Whoever stands still for a question could not obey. */
static void signal_arrived(const struct state *s, const struct arrival *arrival)
{
	job_signal(s->what, arrival);
	if (arrival->number == SIGTERM || arrival->number == SIGHUP || arrival->number == SIGINT ||
	    arrival->number == SIGQUIT)
		stop_asking(s);
}

static void signals_arrived(struct state *s)
{
	struct arrival arrival;

	while (signals_next(s->what->signals, &arrival)) {
		if (arrival.number == SIGCHLD)
			children_changed(s);
		else if (!s->ended)
			signal_arrived(s, &arrival);
	}
}

static bool done(const struct state *s)
{
	const struct capture *c = s->what->capture;

	if (!s->ended || s->killing)
		return s->left;
	return s->left || !c || (c->out.fd < 0 && c->err.fd < 0);
}

static int wait_ms(const struct state *s)
{
	int64_t due = host_questions_due(s->what->questions), left, now = now_ms();
	int look = limiter_left(s->what->limiter, now);

	if (s->next != STEP_NONE && (due < 0 || s->at < due))
		due = s->at;
	if (look >= 0 && (due < 0 || now + look < due))
		due = now + look;
	if (due < 0)
		return -1;
	left = due - now;
	return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/* Nobody who is killed for a limit has a word in it. */
static void look_at_limits(struct state *s)
{
	int64_t now = now_ms();

	if (!s->ended && limiter_left(s->what->limiter, now) == 0 &&
	    limiter_look(s->what->limiter, now))
		kill_tree(s);
}

/* Whoever started it may have been killed, and nobody else would end it. */
static void look_at_caller(struct state *s, short heard)
{
	if (!heard || s->ended || s->abandoned)
		return;
	s->abandoned = true;
	if (!s->timed_out && !s->killing)
		ask_to_end(s);
}

static void ask_about_hosts(const struct state *s)
{
	const struct supervised *w = s->what;

	if (!s->ended && w->sandboxed)
		host_questions_step(w->questions, w->report->asks, w->report->fd);
}

static void read_all(const struct supervised *w)
{
	sink_push(w->sink);
	if (w->sandboxed)
		report_read(w->report);
	if (w->capture) {
		stream_read(&w->capture->out);
		stream_read(&w->capture->err);
	}
}

/* A helper that reported no end speaks for itself: the command did not start. */
static enum ending helper_says(int status)
{
	return status == 127   ? ENDING_NOT_FOUND
	       : status == 126 ? ENDING_NOT_EXECUTABLE
	                       : ENDING_FAILED;
}

static int conclude(const struct state *s, struct outcome *o, struct error *err)
{
	const struct report *r = s->what->report;
	int status = s->status;

	*o = (struct outcome){.timed_out = s->timed_out,
	                      .duration_ms = (s->ended ? s->finished : now_ms()) - s->began};
	if (s->timed_out) {
		o->ending = ENDING_TIMED_OUT;
		o->exit_code = 124;
		return 0;
	}
	if (s->abandoned) {
		o->ending = ENDING_SIGNALLED;
		o->signal = SIGTERM;
		o->exit_code = 128 + SIGTERM;
		return 0;
	}
	if (s->what->sandboxed && !helper_kept_its_word(s))
		return error_set(err, EXIT_SYSTEM, "helper-died", "the sandbox helper died");
	if (s->what->sandboxed && r->exited) {
		o->signal = r->signal;
		o->exit_code = r->code;
	} else if (s->limited) {
		o->signal = SIGKILL;
	} else if (WIFSIGNALED(status)) {
		o->signal = WTERMSIG(status);
	} else {
		o->exit_code = WEXITSTATUS(status);
		if (s->what->sandboxed)
			o->ending = helper_says(o->exit_code);
	}
	if (o->signal) {
		o->ending = ENDING_SIGNALLED;
		o->exit_code = 128 + o->signal;
	}
	return 0;
}

int supervise(const struct supervised *w, struct outcome *outcome, struct error *err)
{
	struct state s = {.what = w, .began = now_ms()};

	if (!w->sandboxed)
		limiter_started(w->limiter, getpid(), w->command);
	if (w->timeout_ms)
		plan_step(&s, STEP_TIMEOUT, w->timeout_ms);
	while (!done(&s)) {
		struct pollfd fds[] = {
		        {.fd = w->signals, .events = POLLIN},
		        {.fd = w->sandboxed ? w->report->fd : -1, .events = POLLIN},
		        {.fd = w->capture ? w->capture->out.fd : -1, .events = POLLIN},
		        {.fd = w->capture ? w->capture->err.fd : -1, .events = POLLIN},
		        {.fd = sink_waits(w->sink), .events = POLLOUT},
		        {.fd = host_questions_fd(w->questions), .events = POLLIN},
		        {.fd = s.ended || s.abandoned ? -1 : w->caller},
		};
		const struct pollfd *caller = &fds[sizeof(fds) / sizeof(fds[0]) - 1];

		if (poll(fds, sizeof(fds) / sizeof(fds[0]), wait_ms(&s)) < 0 && errno != EINTR)
			return error_system(err, "waiting for the command");
		read_all(w);
		ask_about_hosts(&s);
		look_at_limits(&s);
		signals_arrived(&s);
		look_at_caller(&s, caller->revents);
		if (s.next != STEP_NONE && now_ms() >= s.at)
			take_step(&s);
	}
	host_questions_end(w->questions, -1);
	read_all(w);
	return conclude(&s, outcome, err);
}
