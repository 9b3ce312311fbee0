#include "connection/approver.h"

#include "program/answer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "connection/approver_connect.h"
#include "process/this_kernel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

bool approver_is_connection(const struct approver *a)
{
	return a->place.kind == APPROVER_SOCKET || a->place.kind == APPROVER_FD;
}

int approver_open(struct approver *a, const json_t *doc, const char *prefix, struct error *err)
{
	int fd;

	if (approver_judge(&a->place, doc, err) < 0)
		return -1;
	if (a->talk.prefix && a->talk.fd >= 0)
		return 0;
	approver_close(a);
	fd = approver_connect(&a->place, err);
	if (fd < 0)
		return -1;
	conversation_begin(&a->talk, fd, prefix);
	return 0;
}

void approver_close(struct approver *a)
{
	if (a->talk.prefix)
		conversation_end(&a->talk);
}

/* Until the question has its answer, or is void. */
struct wait {
	struct conversation *talk;
	const char *id;
	int64_t deadline;
	int parent, signals;
	int ended_by; /* a signal, or 0 */
};

static int look_around(struct wait *w, const struct pollfd *fds, struct error *err)
{
	bool keyboard;

	if (fds[1].revents)
		return error_set(err, EXIT_DENIED, "unwanted", "was not waited for any more");
	if (fds[2].revents && kernel_signal_read(w->signals, &w->ended_by, &keyboard))
		return error_set(err, EXIT_DENIED, "unwanted", "was not waited for any more");
	return 0;
}

static int wait_for_answer(struct wait *w, json_t **answer, struct error *err)
{
	struct conversation *talk = w->talk;

	for (;;) {
		struct pollfd fds[] = {{.fd = talk->fd, .events = POLLIN},
		                       {.fd = w->parent, .events = POLLIN},
		                       {.fd = w->signals, .events = POLLIN}};
		int64_t left = w->deadline - now_ms();
		cleanup_free char *id = NULL;
		int taken;

		if (conversation_push(talk, err) < 0)
			return -1;
		fds[0].events |= talk->left > 0 ? POLLOUT : 0;
		if (left <= 0)
			return error_set(err, EXIT_DENIED, "timeout", "did not answer in time");
		if (poll(fds, 3, (int)left) < 0 && errno != EINTR)
			return error_system(err, "waiting for an answer");
		if (look_around(w, fds, err) < 0)
			return -1;
		taken = conversation_take(talk, &id, answer, err);
		if (taken < 0)
			return -1;
		if (taken > 0 && strcmp(id, w->id) == 0)
			return 0;
		if (taken > 0)
			json_decref(*answer);
	}
}

/* Half a line that is left behind would be the beginning of the next answer. */
static void leave(struct conversation *talk, const char *id)
{
	struct error gone = {0};

	conversation_cancel(talk, id);
	if (conversation_push(talk, &gone) == 0 && (talk->left > 0 || talk->used > 0))
		conversation_break(talk);
}

/* The signals that end us, and what they did before. */
static const int enders[] = {SIGTERM, SIGINT, SIGHUP};
#define ENDERS (sizeof(enders) / sizeof(enders[0]))

struct before {
	sigset_t mask;
	struct sigaction actions[ENDERS];
};

static int signals_take(struct before *before, struct error *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigprocmask(SIG_BLOCK, NULL, &before->mask);
	for (size_t i = 0; i < ENDERS; i++) {
		sigaddset(&set, enders[i]);
		sigaction(enders[i], NULL, &before->actions[i]);
	}
	return kernel_signal_fd(&set, err);
}

/* Who told us to end finds us ended, now that the question is void. */
static void signals_back(const struct before *before, int fd, int ended_by)
{
	kernel_signal_close(fd);
	for (size_t i = 0; i < ENDERS; i++)
		sigaction(enders[i], &before->actions[i], NULL);
	if (ended_by)
		raise(ended_by);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static json_t *ask(struct conversation *talk, const json_t *request, int limit_ms)
{
	cleanup_free char *id = conversation_ask(talk, request);
	struct error err = {0}, none = {0};
	/* Who started us and ended does not wait for the answer any more. */
	cleanup_close int parent = kernel_process_fd(getppid(), &none);
	struct wait w = {.talk = talk, .id = id, .deadline = now_ms() + limit_ms, .parent = parent};
	cleanup_free char *why = NULL;
	json_t *answer = NULL;
	struct before before;
	int status;

	w.signals = signals_take(&before, &err);
	status = w.signals < 0 ? -1 : wait_for_answer(&w, &answer, &err);
	if (status < 0)
		leave(talk, id);
	if (w.signals >= 0)
		signals_back(&before, w.signals, w.ended_by);
	if (status == 0)
		return answer;
	why = xasprintf("the approver %s", err.message);
	return answer_denied("denied", why);
}

json_t *approver_answer(struct approver *a, const json_t *doc, const json_t *request,
                        const char *prefix, int limit_ms)
{
	struct error err = {0};

	if (!approver_is_connection(a))
		return answer_from_program(a->place.text, doc, request, limit_ms);
	if (approver_open(a, doc, prefix, &err) < 0)
		return answer_denied("denied", err.message);
	return ask(&a->talk, request, limit_ms);
}
