#include "program/ask_program.h"

#include "program/guardian.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "process/spawn.h"
#include "process/this_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct talk {
	int to, from; /* -1: closed */
	int parent;   /* readable when nobody waits for the answer */
	const char *input;
	size_t left;
	char *output;
	size_t used;
};

static void hang_up(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void write_some(struct talk *t)
{
	ssize_t n = write(t->to, t->input, t->left);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	/* A program that does not care to read everything may still answer. */
	if (n > 0) {
		t->input += n;
		t->left -= (size_t)n;
	}
	if (n < 0 || t->left == 0)
		hang_up(&t->to);
}

static void read_some(struct talk *t)
{
	ssize_t n = read(t->from, t->output + t->used, ANSWER_MAX - t->used);

	if (n < 0 && errno == EINTR)
		return;
	if (n > 0)
		t->used += (size_t)n;
	else
		hang_up(&t->from);
}

/* Until the program has closed its output; -1 when that takes too long. */
static int converse(struct talk *t, int64_t deadline, struct error *err)
{
	while (t->from >= 0) {
		struct pollfd fds[] = {{.fd = t->from, .events = POLLIN},
		                       {.fd = t->to, .events = POLLOUT},
		                       {.fd = t->parent, .events = POLLIN}};
		int64_t left = deadline - now_ms();

		if (left <= 0)
			return error_set(err, EXIT_DENIED, "timeout", "did not answer in time");
		if (poll(fds, 3, (int)left) < 0 && errno != EINTR)
			return error_system(err, "waiting for an answer");
		if (t->parent >= 0 && fds[2].revents)
			return error_set(err, EXIT_DENIED, "unwanted",
			                 "was not waited for any more");
		if (t->to >= 0 && fds[1].revents)
			write_some(t);
		if (fds[0].revents)
			read_some(t);
		if (t->used == ANSWER_MAX)
			return error_set(err, EXIT_DENIED, "answer", "answered with too much text");
	}
	return 0;
}

/* Within the deadline as well: an answer may be followed by a sleep. */
static int end_well(const struct guarded *child, int64_t deadline, struct error *err)
{
	int status = guarded_wait(child, deadline - now_ms());

	if (status < 0)
		return error_set(err, EXIT_DENIED, "timeout", "did not end in time");
	return status == 0 ? 0
	                   : error_set(err, EXIT_DENIED, "failed", "ended with status %d", status);
}

char *exchange(const struct asked *asked, const char *input, size_t len, int limit_ms,
               struct error *err)
{
	cleanup_free char **argv = trusted_program_argv(&asked->program, asked->argv);
	const struct guarded_program program = {
	        .directory = "/", .place = asked->program.place, .argv = argv, .env = asked->env};
	int64_t deadline = now_ms() + limit_ms;
	cleanup_close int child_in = -1, child_out = -1;
	struct talk t = {.to = -1, .from = -1, .parent = -1, .input = input, .left = len};
	struct guarded child;
	struct error none;
	int in[2], out[2], status;

	if (pipe_open(in, err) < 0)
		return NULL;
	child_in = in[0];
	t.to = in[1];
	if (pipe_open(out, err) < 0) {
		hang_up(&t.to);
		return NULL;
	}
	t.from = out[0];
	child_out = out[1];
	fcntl(t.to, F_SETFL, O_NONBLOCK);
	status = guarded_start(&child, &program, child_in, child_out, err);
	close(keep_fd(&child_in));
	close(keep_fd(&child_out));
	t.output = xmalloc(ANSWER_MAX + 1);
	/* Who started us and ended does not wait for the answer any more. */
	t.parent = kernel_process_fd(getppid(), &none);
	if (status == 0)
		status = converse(&t, deadline, err);
	hang_up(&t.to);
	hang_up(&t.from);
	hang_up(&t.parent);
	if (status == 0)
		status = end_well(&child, deadline, err);
	if (status < 0)
		guarded_kill(&child);
	else
		guarded_release(&child);
	if (status < 0) {
		free(t.output);
		return NULL;
	}
	t.output[t.used] = '\0';
	return t.output;
}
