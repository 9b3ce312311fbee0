#include "formats/ending.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/document.h"
#include "document/json_pool.h"
#include "document/stage.h"
#include "formats/junit.h"
#include "formats/sarif.h"
#include "formats/write_all.h"
#include "report/audit.h"
#include "report/result.h"

#include <string.h>
#include <unistd.h>

int ending_ours(json_t *doc, const struct error *err)
{
	int status = run_status(stage_fail(err));

	if (!document_error(doc))
		document_fail(doc, program_name, err);
	result_failed(doc);
	return status;
}

static json_t *end_event(const json_t *doc, int status)
{
	const json_t *result = json_object_get(doc, "result");
	json_t *signal = json_object_get(result, "signal");

	return xjson(json_pack("{s:s,s:i,s:O?,s:o,s:b,s:I}", "event", "end", "status", status,
	                       "outcome", json_object_get(result, "outcome"), "signal",
	                       signal ? json_incref(signal) : json_null(), "denied",
	                       json_is_true(json_object_get(result, "denied")), "denials",
	                       (json_int_t)json_array_size(json_object_get(result, "denials"))));
}

static int write_line(int fd, const json_t *object, struct error *err)
{
	cleanup_free char *text = xjson(json_text_dump(object, JSON_COMPACT));
	cleanup_free char *line = xasprintf("%s\n", text);

	return write_all(fd, line, strlen(line)) < 0 || end_file(fd) < 0
	               ? error_system(err, "--result-fd: %d", fd)
	               : 0;
}

static int write_report(const struct arguments *a, const json_t *doc, struct error *err)
{
	cleanup_free char *text = NULL;

	/* Without a place for it the arguments were wrong, and that was said. */
	if ((a->report != REPORT_SARIF && a->report != REPORT_JUNIT) || a->report_fd < 0)
		return 0;
	text = a->report == REPORT_SARIF ? sarif_text(doc) : junit_text(doc);
	if (text && write_all(a->report_fd, text, strlen(text)) == 0 &&
	    (a->report_fd == STDERR_FILENO || end_file(a->report_fd) == 0))
		return 0;
	return error_system(err, "--report-fd: %d", a->report_fd);
}

/* What the command prints is in the document: there, too, we are the only one to write. */
static int end_json(struct error *err)
{
	return end_file(STDOUT_FILENO) < 0 ? error_system(err, "--json") : 0;
}

/* Each tells all it can, whatever became of the one before. */
static int tell(json_t *doc, const struct arguments *a, int status)
{
	struct error err = {0};

	if (a->audit >= 0 && audit_write(a->audit, doc, status, &err) < 0)
		status = ending_ours(doc, &err);
	if (write_report(a, doc, &err) < 0)
		status = ending_ours(doc, &err);
	if (a->json && (document_write(doc, stdout, &err) < 0 || end_json(&err) < 0))
		status = ending_ours(doc, &err);
	if (a->result_fd >= 0 && write_line(a->result_fd, doc, &err) < 0)
		status = ending_ours(doc, &err);
	return status;
}

int ending(json_t *doc, const struct arguments *a, struct sink *events, int status)
{
	cleanup_json json_t *event = NULL;
	struct error ignored = {0};

	status = tell(doc, a, status);
	event = end_event(doc, status);
	sink_finish(events, event);
	/* Who does not read the document does not read this either, and that was said. */
	if (a->result_fd >= 0)
		write_line(a->result_fd, event, &ignored);
	return status;
}

/* Options that are wrong end us before it is settled what is reported: an fd alone means events. */
static int events_fd(const struct arguments *a)
{
	bool named = a->report_fd > STDERR_FILENO && !a->report_given;

	return a->report == REPORT_JSON || named ? a->report_fd : -1;
}

static int end_bare(json_t *doc, const struct arguments *a, int status)
{
	struct sink events = {.fd = events_fd(a)};

	/* What only prints has no result. */
	if (a->dry_run || a->explain)
		return status;
	result_without_command(doc, status);
	return ending(doc, a, &events, status);
}

int ending_without(const struct arguments *a, const struct error *err)
{
	cleanup_json json_t *doc = xjson(json_pack("{s:i}", "sbx", 1));

	document_fail(doc, program_name, err);
	return end_bare(doc, a, run_status(stage_fail(err)));
}

int ending_early(const struct arguments *a, int status)
{
	cleanup_json json_t *doc = xjson(json_pack("{s:i}", "sbx", 1));

	return end_bare(doc, a, status);
}
