#include "filter.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/document.h"
#include "process/sibling.h"
#include "process/spawn.h"

#include <errno.h>
#include <stdio.h>

/* The words of an error that a sibling put into its answer. */
static int carry_error(const char *name, const json_t *answer, struct error *err)
{
	const json_t *error = json_object_get(answer, "error");
	const char *code = json_string_value(json_object_get(error, "code"));
	const char *message = json_string_value(json_object_get(error, "message"));

	return error_set(err, document_error(answer), code ? code : "failed", "%s: %s", name,
	                 message ? message : "failed");
}

static int give(int fd, const char *name, const json_t *doc, struct error *err)
{
	FILE *out = fdopen(fd, "w");
	struct error why = {0};
	int status;

	if (!out) {
		close(fd);
		return error_system(err, "writing to %s", name);
	}
	status = document_write(doc, out, &why);
	fclose(out);
	if (status == 0)
		return 0;
	return error_set(err, EXIT_SYSTEM, "bad-answer", "%s: does not read: %s", name,
	                 why.message);
}

static json_t *take(int fd, const char *name, struct error *err)
{
	struct document_stream *stream = document_stream_open(fd);
	struct error why = {.message = "it ended without one"};
	json_t *answer = NULL;

	if (document_read(stream, &answer, &why) <= 0)
		error_set(err, EXIT_SYSTEM, "bad-answer", "%s: no answer: %s", name, why.message);
	document_stream_close(stream);
	return answer;
}

/* A whole document may be here before its last byte: closed too early, the write of that fails. */
static void hear_out(int fd)
{
	char rest[512];
	ssize_t n;

	do
		n = read(fd, rest, sizeof(rest));
	while (n > 0 || (n < 0 && errno == EINTR));
}

json_t *filter_exec(const char *name, const json_t *doc, struct error *err)
{
	cleanup_free char *path = sibling_path(name, err);
	cleanup_free char *arg0 = xstrdup(name);
	char *argv[] = {arg0, NULL};
	/* Nothing of the command's environment may steer a program of ours. */
	char *envp[] = {NULL};
	cleanup_json json_t *answer = NULL;
	json_t *exec;
	int in[2], out[2], status;
	pid_t child;

	if (!path)
		return NULL;
	if (pipe_open(in, err) < 0)
		return NULL;
	if (pipe_open(out, err) < 0) {
		close(in[0]);
		close(in[1]);
		return NULL;
	}
	child = spawn(path, argv, envp, in[0], out[1], -1, err);
	close(in[0]);
	close(out[1]);
	if (child < 0) {
		close(in[1]);
		close(out[0]);
		return NULL;
	}
	if (give(in[1], name, doc, err) == 0)
		answer = take(out[0], name, err);
	if (answer)
		hear_out(out[0]);
	close(out[0]);
	status = spawn_wait(child);
	if (!answer)
		return NULL;
	if (json_object_get(answer, "error")) {
		carry_error(name, answer, err);
		return NULL;
	}
	exec = json_object_get(answer, "exec");
	if (status != 0 || !json_is_array(json_object_get(exec, "argv"))) {
		error_set(err, EXIT_SYSTEM, "bad-answer", "%s: status %d and no exec in its answer",
		          name, status);
		return NULL;
	}
	return json_incref(exec);
}
