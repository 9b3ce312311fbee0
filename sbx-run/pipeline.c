#include "pipeline.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/document.h"
#include "process/spawn.h"
#include "stage_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * What the stages after the decision say is heard when all have ended: that a command
 * was refused is said once, by who refused it.  A few lines, which a pipe holds.
 */
static int said_open(int said[2], struct error *err)
{
	if (pipe_open(said, err) < 0)
		return -1;
	if (fcntl(said[0], F_SETFL, O_NONBLOCK) == 0)
		return 0;
	close(said[0]);
	close(said[1]);
	return error_system(err, "making a pipe");
}

static void said_close(const int said[2], const json_t *doc)
{
	const json_t *error = json_object_get(doc, "error");
	const char *code = json_string_value(json_object_get(error, "code"));
	bool known = code && strcmp(code, "not-approved") == 0;
	char text[4096];
	ssize_t n;

	close(said[1]);
	while ((n = read(said[0], text, sizeof(text))) > 0)
		if (!known && write(STDERR_FILENO, text, (size_t)n) != n)
			break;
	close(said[0]);
}

/*
 * Those from `first` on; `in` is what it reads, *out where the last one writes.
 * How many have been started, counted from the very first.
 */
static size_t start_all(const struct arguments *a, const struct replaced *replaced, size_t first,
                        int in, pid_t *stages, int *out, int said, struct error *err)
{
	cleanup_close int from = in;

	for (size_t i = first; i < STAGE_COUNT; i++) {
		cleanup_free char **argv = stage_argv(a, (enum stage_id)i);
		int ends[2];

		if (pipe_open(ends, err) < 0)
			return i;
		stages[i] = stage_start(a, replaced, (enum stage_id)i, argv, from, ends[1],
		                        i > STAGE_APPROVE ? said : -1, err);
		close(ends[1]);
		close(from);
		from = ends[0];
		if (stages[i] < 0)
			return i;
	}
	*out = keep_fd(&from);
	return STAGE_COUNT;
}

static int read_one(int fd, json_t **doc, struct error *err)
{
	struct document_stream *stream = document_stream_open(fd);
	cleanup_json json_t *second = NULL;
	int got = document_read(stream, doc, err);

	if (got == 0)
		got = error_set(err, EXIT_INPUT, "bad-document", "the stages made no document");
	else if (got > 0 && document_read(stream, &second, err) != 0)
		got = error_set(err, EXIT_INPUT, "bad-document",
		                "the stages made more than one document");
	document_stream_close(stream);
	return got > 0 ? 0 : -1;
}

static int ended_with(enum stage_id stage, int status, struct error *err)
{
	return error_set(err, status <= EXIT_SYSTEM ? status : EXIT_SYSTEM, "stage",
	                 "%s: ended with status %d", stage_programs[stage], status);
}

/* A stage that ends in any way but its own is a failure nobody has named yet. */
static int check_status(enum stage_id stage, int status, struct error *err)
{
	if (status < 0)
		return error_system(err, "waiting for %s", stage_programs[stage]);
	if (status <= EXIT_SYSTEM)
		return status;
	if (status > 128)
		return error_set(err, EXIT_SYSTEM, "stage", "%s: ended by signal %d",
		                 stage_programs[stage], status - 128);
	return ended_with(stage, status, err);
}

/* What the stages from `first` on made, once all of them have ended. */
static int finish(const struct arguments *a, size_t first, size_t started, const pid_t *stages,
                  int *out, json_t **doc, struct error *err)
{
	struct error unread = {0};
	int result = started == STAGE_COUNT ? 0 : -1;

	*doc = NULL;
	if (result == 0 && read_one(*out, doc, &unread) < 0) {
		json_decref(*doc);
		*doc = NULL;
	}
	/* A stage that still writes must not wait for a reader that has read enough. */
	if (*out >= 0)
		close(keep_fd(out));
	for (size_t i = first; i < started; i++) {
		int status = check_status((enum stage_id)i, spawn_wait(stages[i]), err);

		/* Ours say why they fail; of others nobody knows. */
		if (status > 0 && a->replaced[i] && !*doc)
			status = ended_with((enum stage_id)i, status, err);
		/* A stage that broke down explains the failures of its neighbours. */
		if (status < 0 || result == 0)
			result = status;
	}
	if (result == 0 && !*doc) {
		*err = unread;
		return -1;
	}
	return result;
}

/*
 * What the command will be able to write is asked of our own sbx-policy: a
 * stage that a command has rewritten would not tell.
 */
int pipeline_policy(const struct arguments *a, json_t **doc, struct error *err)
{
	const struct replaced none = {0};
	char any[] = "true";
	char *command[] = {any, NULL};
	struct arguments own = *a;
	cleanup_free char **argv = NULL;
	cleanup_close int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int ends[2], status;
	pid_t child;

	memset(own.replaced, 0, sizeof(own.replaced));
	/* --explain needs no command, the first document does. */
	if (!own.command[0])
		own.command = command;
	argv = policy_argv(&own, NULL);
	if (in < 0)
		return error_system(err, "/dev/null");
	if (pipe_open(ends, err) < 0)
		return -1;
	child = stage_start(&own, &none, STAGE_POLICY, argv, in, ends[1], -1, err);
	close(ends[1]);
	status = child < 0 ? -1 : read_one(ends[0], doc, err);
	close(ends[0]);
	if (child > 0 && check_status(STAGE_POLICY, spawn_wait(child), err) != 0 && status == 0)
		status = error_set(err, EXIT_INPUT, "no-policy",
		                   "--stage: the policy of this command is not known");
	return status;
}

/* Before any of them runs. */
static int open_replaced(const struct arguments *a, struct replaced *replaced, struct error *err)
{
	cleanup_json json_t *doc = NULL;

	*replaced = (struct replaced){0};
	for (size_t i = 0; i < STAGE_COUNT; i++)
		replaced->stages[i].fd = -1;
	if (!replaces_any(a))
		return 0;
	if (pipeline_policy(a, &doc, err) < 0)
		return -1;
	return replaced_open(replaced, a, doc, err);
}

/* What the first stage reads; -1 with err.  *to is where it is written, or -1: it is nothing. */
static int open_input(const struct arguments *a, int *to, struct error *err)
{
	int ends[2], fd;

	*to = -1;
	if (a->input) {
		if (pipe_open(ends, err) < 0)
			return -1;
		*to = ends[1];
		return ends[0];
	}
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return fd < 0 ? error_system(err, "/dev/null") : fd;
}

/* A stage that ended early has said why. */
static void give_input(const struct arguments *a, int *to)
{
	const char *at = a->input;
	size_t left = a->input_len;
	ssize_t n = 0;

	if (*to < 0)
		return;
	while (left > 0 && ((n = write(*to, at, left)) > 0 || errno == EINTR)) {
		at += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
	close(keep_fd(to));
}

int pipeline_run(const struct arguments *a, json_t **doc, struct error *err)
{
	pid_t stages[STAGE_COUNT];
	cleanup_close int out = -1, to = -1;
	int in = open_input(a, &to, err);
	struct replaced replaced;
	size_t started;
	int said[2], status;

	*doc = NULL;
	if (in < 0)
		return -1;
	if (open_replaced(a, &replaced, err) < 0) {
		replaced_close(&replaced);
		close(in);
		return -1;
	}
	if (said_open(said, err) < 0) {
		replaced_close(&replaced);
		close(in);
		return -1;
	}
	started = start_all(a, &replaced, STAGE_POLICY, in, stages, &out, said[1], err);
	give_input(a, &to);
	status = finish(a, STAGE_POLICY, started, stages, &out, doc, err);
	said_close(said, *doc);
	replaced_close(&replaced);
	return status;
}

/* The document goes to the first of the stages, and what they make of it comes back. */
static int run_again(const struct arguments *a, const struct replaced *replaced,
                     const json_t *given, json_t **doc, struct error *err)
{
	pid_t stages[STAGE_COUNT];
	cleanup_close int out = -1;
	struct error unwritten = {0};
	int ends[2], said[2], status;
	size_t started;
	FILE *to;

	if (said_open(said, err) < 0)
		return -1;
	if (pipe_open(ends, err) < 0) {
		said_close(said, NULL);
		return -1;
	}
	to = fdopen(ends[1], "w");
	if (!to) {
		said_close(said, NULL);
		close(ends[0]);
		close(ends[1]);
		return error_system(err, "making a pipe");
	}
	started = start_all(a, replaced, STAGE_APPROVE, ends[0], stages, &out, said[1], err);
	/* Each stage reads all of a document before it writes: nobody waits in a circle. */
	if (started == STAGE_COUNT && document_write(given, to, &unwritten) < 0)
		*err = unwritten;
	fclose(to);
	status = finish(a, STAGE_APPROVE, started, stages, &out, doc, err);
	said_close(said, *doc);
	return status;
}

int pipeline_again(const struct arguments *a, const json_t *given, json_t **doc, struct error *err)
{
	struct replaced replaced;
	int status = 0;

	*doc = NULL;
	/* The command has run: what it could write by then is no stage any more. */
	if (replaces_any(a))
		status = replaced_open(&replaced, a, given, err);
	if (status == 0)
		status = run_again(a, &replaced, given, doc, err);
	if (replaces_any(a))
		replaced_close(&replaced);
	return status;
}

/* It reads all of the document before it asks. */
static pid_t ask(const struct arguments *a, const struct replaced *replaced, const json_t *given,
                 int *out, struct error *err)
{
	cleanup_free char **argv = stage_argv(a, STAGE_APPROVE);
	cleanup_close int from = -1, in = -1, end = -1;
	int ends[2];
	FILE *to;
	pid_t pid;

	if (pipe_open(ends, err) < 0)
		return -1;
	from = ends[0];
	end = ends[1];
	if (pipe_open(ends, err) < 0)
		return -1;
	in = ends[0];
	to = fdopen(ends[1], "w");
	if (!to) {
		close(ends[1]);
		return error_system(err, "making a pipe");
	}
	pid = stage_start(a, replaced, STAGE_APPROVE, argv, in, end, -1, err);
	close(keep_fd(&in));
	/* What it does not read it does not answer. */
	if (pid > 0 && document_write(given, to, err) < 0)
		err->exit = 0;
	fclose(to);
	if (pid > 0)
		*out = keep_fd(&from);
	return pid;
}

pid_t pipeline_ask(const struct arguments *a, const json_t *given, int *out, struct error *err)
{
	struct replaced replaced = {0};
	pid_t pid = -1;

	if (!replaces_any(a) || replaced_open(&replaced, a, given, err) == 0)
		pid = ask(a, &replaced, given, out, err);
	if (replaces_any(a))
		replaced_close(&replaced);
	return pid;
}

int pipeline_decide(const struct arguments *a, const json_t *given, json_t **doc, struct error *err)
{
	int out = -1, status;
	pid_t pid = pipeline_ask(a, given, &out, err);

	*doc = NULL;
	if (pid < 0)
		return -1;
	status = read_one(out, doc, err);
	close(out);
	return spawn_wait(pid) < 0 ? error_system(err, "waiting for sbx-approve") : status;
}

int pipeline_explain(const struct arguments *a, struct error *err)
{
	cleanup_free char **argv = policy_argv(a, "--explain");
	cleanup_close int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct replaced replaced;
	pid_t child = -1;

	if (in < 0)
		return error_system(err, "/dev/null");
	if (open_replaced(a, &replaced, err) == 0)
		child = stage_start(a, &replaced, STAGE_POLICY, argv, in, -1, -1, err);
	replaced_close(&replaced);
	return child < 0 ? -1 : check_status(STAGE_POLICY, spawn_wait(child), err);
}
