/*
 * sbx-run: composes the stages, runs what comes out, and stays with it.
 */
#include "added_directories.h"
#include "advise/explain.h"
#include "advise/learn.h"
#include "arguments.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "command_document.h"
#include "document/document.h"
#include "document/stage.h"
#include "mcp/serve.h"
#include "patch/inside.h"
#include "patch/patch_command.h"
#include "pipeline.h"
#include "preview/command.h"
#include "preview/kept.h"
#include "process/close_on_exec.h"
#include "process/this_kernel.h"
#include "formats/ending.h"
#include "report/audit.h"
#include "report/questions.h"
#include "report/result.h"
#include "retry.h"
#include "run.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(const struct arguments *a, const struct error *err)
{
	return ending_without(a, err);
}

/*
 * A file of ours must not land on 0, 1 or 2 because the caller closed it.  The
 * wrong direction gives the command the error that a closed fd would.
 */
static int occupy_standard_fds(struct error *err)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			return error_system(err, "/dev/null");
	return 0;
}

/* Documents from stdin, one after another; the first status that is not 0. */
static int run_stream(const struct arguments *a, const struct inherited *inherited)
{
	struct document_stream *stream = document_stream_open(STDIN_FILENO);
	/* stdin is the documents': a command must not read the next of them. */
	cleanup_close int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct error err = {0};
	int first = 0, got = 0;
	bool any = false;
	json_t *doc;

	if (in < 0)
		error_system(&err, "/dev/null");
	while (in >= 0 && (got = document_read(stream, &doc, &err)) > 0) {
		int status = run_document(doc, a, inherited, in);

		json_decref(doc);
		any = true;
		if (first == 0)
			first = status;
	}
	document_stream_close(stream);
	/* A stage before us that died without a word must not look like success. */
	if (!any && !err.exit)
		error_set(&err, EXIT_INPUT, "bad-document", "no document on stdin");
	if (err.exit) {
		int status = fail(a, &err);

		return first ? first : status;
	}
	return first;
}

/* Prints and runs nothing; 0 when it would have run. */
static int explain(const struct arguments *a)
{
	cleanup_json json_t *doc = NULL;
	struct error err = {0};
	int status = pipeline_explain(a, &err);

	if (status == 0 && a->command[0]) {
		status = pipeline_run(a, &doc, &err);
		if (doc)
			explain_document(doc, a);
	}
	if (fflush(stdout) != 0)
		status = error_system(&err, "writing");
	if (status < 0)
		return fail(a, &err);
	return status ? run_status(status) : 0;
}

/* Nothing ran; what was asked before that is said all the same. */
static int refused(json_t *doc, const struct arguments *a, int status)
{
	struct sink events = {.fd = a->report == REPORT_JSON ? a->report_fd : -1};
	cleanup_json json_t *questions = xjson(json_array());

	questions_add(questions, doc);
	result_none(doc, status);
	questions_set(doc, questions);
	return ending(doc, a, &events, status);
}

static int compose(const struct arguments *a, const struct inherited *inherited)
{
	cleanup_json json_t *doc = NULL;
	struct error err = {0};
	cleanup_json json_t *again = NULL;
	int status = pipeline_run(a, &doc, &err);

	if (status < 0)
		return fail(a, &err);
	if (doc && !a->dry_run)
		status = retry_without_sandbox(doc, a, status, &again);
	if (again) {
		json_decref(doc);
		doc = json_incref(again);
	}
	if (status == 0 && !a->dry_run)
		return run_document(doc, a, inherited, -1);
	/* A caller that reads documents learns from this one why nothing ran. */
	if (doc && !a->dry_run)
		return refused(doc, a, run_status(status));
	if (!doc)
		return ending_early(a, run_status(status));
	if (document_write(doc, stdout, &err) < 0)
		return fail(a, &err);
	return status ? run_status(status) : 0;
}

/* A program that reads no further is no reason to die before the command is told of. */
static void outlive_readers(const struct arguments *a)
{
	if (a->result_fd >= 0 || a->report_fd > STDERR_FILENO)
		signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
	struct arguments arguments;
	struct inherited inherited;
	struct error err = {0};
	char **given = argv;
	int status;

	/* The confined half of --apply-patch, in the sandbox. */
	if (argc == 3 && strcmp(argv[1], "--apply-patch-inside") == 0)
		return patch_inside(atoi(argv[2]));
	inherited_save(&inherited);
	stage_begin("sbx-run");
	exit_without_memory = 125;
	status = patch_words(&argc, &argv);
	if (status)
		return status;
	status = arguments_parse(argc, argv, &arguments, &err);
	outlive_readers(&arguments);
	if (status < 0 || occupy_standard_fds(&err) < 0 || close_on_exec(3, ~0U, &err) < 0 ||
	    kernel_adopt_orphans(&err) < 0 ||
	    (arguments.audit_file &&
	     (arguments.audit = audit_open(arguments.audit_file, &err)) < 0) ||
	    (arguments.learn_file &&
	     (arguments.learned = learn_open(arguments.learn_file, &err)) < 0) ||
	    added_directories_make(&arguments, &err) < 0)
		status = fail(&arguments, &err);
	else if (kept_recover(), (status = preview_command(&arguments)) >= 0)
		;
	else if (arguments.exec)
		status = run_stream(&arguments, &inherited);
	else if (arguments.explain)
		status = explain(&arguments);
	else if (arguments.mcp)
		status = mcp_serve(&arguments);
	else if (arguments.apply_patch && (status = patch_prepare(&arguments, argv != given)) != 0)
		status = ending_early(&arguments, status);
	else if (arguments.command_fd >= 0 && command_document_take(&arguments, &err) < 0)
		status = fail(&arguments, &err);
	else
		status = compose(&arguments, &inherited);
	arguments_free(&arguments);
	return status;
}
