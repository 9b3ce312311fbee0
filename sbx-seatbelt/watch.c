#include "watch.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/complain.h"
#include "base/memory.h"
#include "denial.h"
#include "document/json_pool.h"
#include "process/spawn.h"
#include "tracker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef LOG_PROGRAM
#define LOG_PROGRAM "/usr/bin/log"
#endif

/* What the kernel's sandbox writes, and the daemon that folds it. */
#define LOG_PREDICATE                                                                              \
	"((processID == 0) AND (senderImagePath CONTAINS \"/Sandbox\")) OR "                       \
	"(subsystem == \"com.apple.sandbox.reporting\")"

#define LOG_START_MS 2000 /* until it listens; denials before that are lost */
#define LOG_TAIL_MS  600  /* it comes late, and in bundles */
#define LOOK_MS      20
#define LOG_LINE_MAX 65536
#define DENIALS_MAX  1000

struct state {
	const struct watch *watch;
	struct tracker tracker;
	pid_t command, log;
	int stream; /* of the log; -1: none, or it has ended */
	char *line;
	size_t used;
	bool skipping, listening;
	struct denial *denials;
	size_t count;
};

int watch_report_fd(struct watch *watch, const char *value, struct error *err)
{
	char *end;
	long fd;

	errno = 0;
	fd = strtol(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end || errno || fd < 3 || fd > INT_MAX ||
	    fcntl((int)fd, F_SETFD, FD_CLOEXEC) < 0)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--report-fd: \"%s\": expected the number of an open fd above 2",
		                 value);
	watch->report = (int)fd;
	return 0;
}

/* One line; a supervisor that has gone is noticed by poll(). */
static void report(const struct watch *watch, json_t *event)
{
	cleanup_free char *text = json_text_dump(event, JSON_COMPACT);
	cleanup_free char *line = text ? xasprintf("%s\n", text) : NULL;
	size_t len = line ? strlen(line) : 0, done = 0;

	while (watch->report >= 0 && done < len) {
		ssize_t n = write(watch->report, line + done, len - done);

		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	json_decref(event);
}

static void lose(const struct watch *watch, const char *why)
{
	if (watch->report < 0)
		complain("denials are not observed: %s", why);
	report(watch, xjson(json_pack("{s:s,s:s,s:s,s:s}", "event", "lost", "guarantee",
	                              "denials observed", "why", why, "cure",
	                              "run where \"log stream\" works")));
}

/* ---- the log ----------------------------------------------------------------- */

static void start_log(struct state *s)
{
	static const char *const words[] = {"log",    "stream",      "--style",
	                                    "ndjson", "--predicate", LOG_PREDICATE};
	char *argv[sizeof(words) / sizeof(words[0]) + 1] = {0};
	/* Nothing of the command's environment may steer it. */
	char *envp[] = {NULL};
	cleanup_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct error err = {0};
	int ends[2];

	s->stream = -1;
	s->log = -1;
	if (s->watch->no_log)
		return;
	if (null < 0 || pipe_open(ends, &err) < 0) {
		lose(s->watch, "no pipe for the log");
		return;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		argv[i] = xstrdup(words[i]);
	s->log = spawn(LOG_PROGRAM, argv, envp, null, ends[1], null, &err);
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	close(ends[1]);
	s->stream = ends[0];
	if (s->log < 0)
		lose(s->watch, err.message);
	else if (fcntl(s->stream, F_SETFL, O_NONBLOCK) < 0)
		lose(s->watch, "the log cannot be read");
	else
		return;
	close(keep_fd(&s->stream));
}

static void stop_log(struct state *s)
{
	if (s->stream >= 0)
		close(keep_fd(&s->stream));
	if (s->log > 0) {
		kill(s->log, SIGKILL);
		spawn_wait(s->log);
	}
}

static void keep_denial(struct state *s, struct denial *d)
{
	for (size_t i = 0; i < s->count; i++) {
		if (denial_same(&s->denials[i], d)) {
			s->denials[i].count += d->count;
			denial_free(d);
			return;
		}
	}
	/* A flood is the command's own affair. */
	if (s->count == DENIALS_MAX) {
		denial_free(d);
		return;
	}
	list_add(s->denials, s->count, *d);
}

/* The process may have been started after the table was last read. */
static void take_line(struct state *s)
{
	struct denial d;

	s->listening = true;
	if (!s->skipping && denial_parse(s->line, s->used, &d)) {
		tracker_look(&s->tracker);
		if (s->command > 0 && tracker_has(&s->tracker, d.pid))
			keep_denial(s, &d);
		else
			denial_free(&d);
	}
	s->used = 0;
	s->skipping = false;
}

static void read_log(struct state *s)
{
	char buffer[4096];
	ssize_t n = 1;

	while (s->stream >= 0 && n > 0) {
		n = read(s->stream, buffer, sizeof(buffer));
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			close(keep_fd(&s->stream));
		for (ssize_t i = 0; i < n; i++) {
			if (buffer[i] == '\n')
				take_line(s);
			else if (s->used == LOG_LINE_MAX)
				s->skipping = true;
			else
				s->line[s->used++] = buffer[i];
		}
	}
}

static void wait_ms(struct state *s, int ms, bool *hung_up)
{
	struct pollfd fds[] = {
	        {.fd = s->stream, .events = POLLIN},
	        {.fd = s->watch->report, .events = 0},
	        {.fd = s->tracker.wakes, .events = POLLIN},
	};

	poll(fds, sizeof(fds) / sizeof(fds[0]), ms);
	*hung_up = (fds[1].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
	read_log(s);
}

/* ---- the command --------------------------------------------------------------- */

/* Set by a handler, for the loop to hand on. */
static volatile sig_atomic_t asked_to_end;

static void ask_to_end(int number)
{
	asked_to_end = number;
}

/*
 * The keyboard reaches the command by itself, which shares our group; what is
 * sent to us alone is meant for it.
 */
static void take_signals(void)
{
	struct sigaction action = {.sa_handler = ask_to_end};

	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
}

/* A supervisor gives us a group of our own; it holds the command and the log. */
static void kill_all(const struct state *s)
{
	kill(s->command, SIGKILL);
	if (getpgrp() == getpid())
		kill(0, SIGKILL);
}

static int supervise(struct state *s)
{
	bool hung_up = false;
	int status = 0;
	pid_t ended;

	while ((ended = waitpid(s->command, &status, WNOHANG)) == 0) {
		if (asked_to_end) {
			kill(s->command, asked_to_end);
			asked_to_end = 0;
		}
		wait_ms(s, LOOK_MS, &hung_up);
		tracker_look(&s->tracker);
		if (hung_up)
			kill_all(s);
	}
	for (int64_t end = now_ms() + LOG_TAIL_MS; s->stream >= 0 && !hung_up && now_ms() < end;)
		wait_ms(s, LOOK_MS, &hung_up);
	return ended < 0 ? -1 : status;
}

static void tell(const struct state *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct denial *d = &s->denials[i];
		json_t *event = denial_json(d);

		json_object_set_new(event, "event", xjson(json_string("denial")));
		if (s->watch->report < 0)
			complain("denied: %s(%d): %s%s%s", d->program, (int)d->pid, d->operation,
			         d->target ? " " : "", d->target ? d->target : "");
		report(s->watch, event);
	}
}

static int tell_end(const struct state *s, int status)
{
	bool killed = WIFSIGNALED(status);
	int number = killed ? WTERMSIG(status) : WEXITSTATUS(status);

	report(s->watch,
	       xjson(json_pack("{s:s,s:i}", "event", "exit", killed ? "signal" : "code", number)));
	return killed ? 128 + number : number;
}

static void before_end(const struct watch *watch)
{
	if (watch->before_end)
		watch->before_end(watch->context);
}

static int run(struct state *s, char **argv)
{
	extern char **environ;
	struct error err = {0};
	bool hung_up = false;
	int status;

	for (int64_t end = now_ms() + LOG_START_MS;
	     s->stream >= 0 && !s->listening && now_ms() < end;)
		wait_ms(s, LOOK_MS, &hung_up);
	take_signals();
	s->command =
	        spawn(argv[0], argv, s->watch->env ? s->watch->env : environ, -1, -1, -1, &err);
	if (s->command < 0) {
		status = errno == ENOENT || errno == ENOTDIR ? 127 : 126;
		complain("%s", err.message);
		before_end(s->watch);
		return status;
	}
	tracker_begin(&s->tracker, s->command);
	report(s->watch, xjson(json_pack("{s:s}", "event", "started")));
	status = supervise(s);
	tell(s);
	before_end(s->watch);
	return status < 0 ? 125 : tell_end(s, status);
}

int watch_command(const struct watch *watch, char **argv)
{
	struct state s = {.watch = watch, .command = -1, .tracker = {.wakes = -1}};
	int status = 125;

	/* A bare name would be looked up in the PATH, an attacker's word. */
	if (argv[0][0] != '/') {
		complain("\"%s\": the command must be an absolute path", argv[0]);
		before_end(watch);
		return 125;
	}
	s.line = xmalloc(LOG_LINE_MAX);
	start_log(&s);
	status = run(&s, argv);
	stop_log(&s);
	tracker_free(&s.tracker);
	for (size_t i = 0; i < s.count; i++)
		denial_free(&s.denials[i]);
	free(s.denials);
	free(s.line);
	return status;
}
