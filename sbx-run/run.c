#include "run.h"

#include "advise/learn.h"
#include "advise/patch_places.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/document.h"
#include "formats/ending.h"
#include "limits/limiter.h"
#include "limits/lost_limits.h"
#include "patch/writer.h"
#include "pipeline.h"
#include "policy/words.h"
#include "preview/after.h"
#include "preview/state.h"
#include "process/own_terminal.h"
#include "report/audit.h"
#include "report/brief.h"
#include "report/human.h"
#include "report/questions.h"
#include "report/result.h"
#include "retry.h"
#include "supervise/launch.h"
#include "supervise/supervise.h"
#include "supervise/wrapped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pid_t start_question(const void *context, const json_t *question, int *out,
                            struct error *err)
{
	return pipeline_ask(context, question, out, err);
}

/* Whether the policy lets anybody be asked about a host that is not listed. */
static bool may_ask(const json_t *doc, const struct arguments *a)
{
	const json_t *policy = json_object_get(doc, "policy");
	const json_t *written = json_object_get(json_object_get(doc, "approval"), "permissions");
	const json_t *own = json_object_get(policy, "permissions");
	const char *network =
	        json_string_value(json_object_get(written ? written : own, "network"));
	const json_t *granular = json_object_get(policy, "granular");

	return !a->learn && network_parse(network) == NETWORK_HOSTS &&
	       policy_asks(policy) != ASK_NEVER &&
	       (!json_is_object(granular) ||
	        json_is_true(json_object_get(granular, "sandbox_approval")));
}

/* How: NULL when there is nobody.  An approver needs no terminal, and leaves the command alone. */
static const char *who_asks(const json_t *doc, const struct arguments *a, struct terminal *t)
{
	const json_t *settings = json_object_get(json_object_get(doc, "policy"), "sbx");
	const char *session = getenv("SBX_SESSION");

	if (!may_ask(doc, a))
		return NULL;
	if (a->approver_said || json_object_get(settings, "approver"))
		return "running";
	if (t->fd >= 0 && (t->given || own_terminal_is_ours(t->fd)))
		return "held";
	return session && *session ? "running" : NULL;
}

/* Starts the command and stays with it to its end; signals are already ours. */
static int start_and_supervise(struct launch *l, struct supervised *s, struct patch_writer *patch,
                               struct outcome *outcome, struct error *err)
{
	struct terminal *t = s->terminal;

	terminal_open(t);
	if (own_terminal_goes_to_command(t->fd)) {
		l->terminal = t->fd;
		t->given = t->wants = true;
	}
	l->ask = s->sandboxed ? who_asks(s->questions->doc, s->questions->context, t) : NULL;
	s->questions->terminal = l->ask && strcmp(l->ask, "held") == 0 ? t : NULL;
	s->pid = launch(l, err);
	s->questions->command = t->job = s->pid;
	report_started(s->report);
	patch_writer_started(patch);
	if (s->capture)
		capture_started(s->capture);
	if (s->pid < 0 || supervise(s, outcome, err) < 0) {
		terminal_take(t);
		return -1;
	}
	return 0;
}

static int run(const struct wrapped *w, const struct arguments *a,
               const struct inherited *inherited, int in, struct patch_writer *patch,
               const char *preview, struct capture *capture, struct report *report,
               struct sink *sink, struct host_questions *questions, struct limiter *limiter,
               struct outcome *outcome, struct error *err)
{
	struct terminal terminal = {.fd = -1};
	struct tree tree = {0};
	struct launch l = {.wrapped = w,
	                   .inherited = inherited,
	                   .in = patch->pid > 0 ? patch->in : in,
	                   .out = capture ? capture->out.end : -1,
	                   .err = capture ? capture->err.end : -1,
	                   .keep = patch->pid > 0 ? &patch->out : a->keep,
	                   .keep_count = patch->pid > 0 ? 1 : a->keep_count,
	                   .report = report->end,
	                   .preview = preview,
	                   .brief = a->report == REPORT_BRIEF,
	                   .terminal = -1,
	                   .limiter = w->observed ? NULL : limiter,
	                   .verbose = a->verbose};
	struct supervised s = {.sandboxed = w->sandboxed,
	                       .timeout_ms = w->timeout_ms,
	                       .command = w->argv[0],
	                       .limiter = limiter,
	                       .report = report,
	                       .capture = capture,
	                       .sink = sink,
	                       .questions = questions,
	                       .terminal = &terminal,
	                       .tree = &tree,
	                       .caller = a->while_fd};
	int result;

	s.signals = signals_open(err);
	if (s.signals < 0)
		return -1;
	tree_begin(&tree);
	result = limiter_begin(limiter, w->observed ? &(struct limits){{0}} : &w->limits,
	                       &(struct surroundings_of_command){0}, err);
	if (result == 0)
		result = start_and_supervise(&l, &s, patch, outcome, err);
	limiter_end(limiter);
	terminal_close(&terminal);
	tree_free(&tree);
	signals_close(s.signals, inherited);
	return result;
}

/*
 * Nothing is left for us to do but wait: no output to keep, no time limit, no
 * question to ask after a denial and nobody to tell of one, no next document.
 * Then the helper takes our place, and a launch costs a process less.
 */
static bool helper_suffices(const json_t *doc, const struct wrapped *w, const struct arguments *a)
{
	const char *tool =
	        json_string_value(json_object_get(json_object_get(doc, "command"), "tool"));

	/* What was made for a patch has to be taken back. */
	if ((tool && strcmp(tool, "patch") == 0) ||
	    policy_is_previewed(json_object_get(doc, "policy")))
		return false;
	return w->sandboxed && !a->json && a->result_fd < 0 && a->while_fd < 0 && !a->exec &&
	       !a->learn && a->report == REPORT_OFF && a->audit < 0 && w->timeout_ms == 0 &&
	       policy_asks(json_object_get(doc, "policy")) == ASK_NEVER;
}

/* What a helper of ours says of them, we say of a command that has none. */
static void take_limits(struct denials *denials, struct report *report,
                        const struct limiter *limiter)
{
	cleanup_json json_t *denial = limiter_denial(limiter);
	unsigned lost = limiter_lost(limiter);

	if (denial)
		denials_take(denials, "denial", denial);
	if (lost && !report->lost)
		report->lost = xjson(json_array());
	if (lost)
		lost_limits_add(report->lost, lost);
}

/* One attempt; sets "result", or "error" after a line on stderr. */
static int attempt(json_t *doc, const struct arguments *a, const struct inherited *inherited,
                   int in, struct preview_state *preview, struct sink *sink, json_t *asked,
                   json_t *settled)
{
	struct capture capture = {.out = {.fd = -1, .end = -1}, .err = {.fd = -1, .end = -1}};
	struct report report = {.fd = -1, .end = -1};
	struct wrapped wrapped = {0};
	struct patch_places places = {0};
	struct patch_writer patch = {0};
	struct outcome outcome = {0};
	struct limiter limiter = {.tmp = -1, .reached = -1};
	struct denials denials;
	struct host_questions questions = {.start = start_question,
	                                   .context = a,
	                                   .doc = doc,
	                                   .asked = asked,
	                                   .settled = settled,
	                                   .from = -1};
	struct error err = {0};
	int status;

	if (wrapped_get(doc, &wrapped, &err) == 0 && helper_suffices(doc, &wrapped, a)) {
		struct launch here = {.wrapped = &wrapped,
		                      .inherited = inherited,
		                      .keep = a->keep,
		                      .keep_count = a->keep_count,
		                      .report = -1,
		                      .verbose = a->verbose};

		launch_here(&here, &err);
	}
	denials_begin(&denials, doc, sink);
	if (err.exit ||
	    (a->audit >= 0 && wrapped.sandboxed && audit_check(a->audit, doc, &err) < 0) ||
	    (policy_is_previewed(json_object_get(doc, "policy")) &&
	     preview_begin(preview, doc, a, &err) < 0) ||
	    patch_writer_start(&patch, doc, &wrapped, &err) < 0 ||
	    (wrapped.confined && patch.pid == 0 && patch_places_make(doc, &places, &err) < 0) ||
	    (wrapped.sandboxed && report_open(&report, &denials, &err) < 0) ||
	    (a->json && capture_open(&capture, &err) < 0) ||
	    run(&wrapped, a, inherited, in, &patch, preview->path, a->json ? &capture : NULL,
	        &report, sink, &questions, &limiter, &outcome, &err) < 0) {
		complain("%s", err.message);
		status = run_status(err.exit);
		if (!document_error(doc))
			document_fail(doc, program_name, &err);
		result_none(doc, status);
	} else {
		status = outcome.exit_code;
		take_limits(&denials, &report, &limiter);
		result_set(doc, &outcome, a->json ? &capture : NULL, wrapped.confined, report.lost);
		result_usage(doc, report.usage, &limiter.usage);
		/* Our own helper says so when it does not look. */
		denials.observed |= report.started && wrapped.observed && !denials.unobserved;
		result_observed(doc, &denials);
	}
	/* The confined half was ended when it had asked for everything. */
	if (patch_writer_finish(&patch) && status != 0)
		complain("the patch is applied all the same: it was ended too late");
	patch_places_take_back(&places);
	denials_free(&denials);
	wrapped_free(&wrapped);
	report_close(&report);
	capture_close(&capture);
	return status;
}

/* The second attempt begins to count anew. */
static void tell_retry(struct sink *sink)
{
	cleanup_json json_t *event = json_pack("{s:s}", "event", "retry");

	if (event)
		sink_event(sink, event);
}

/* A table that could not be written is a failure, whatever the command did. */
static int learn(json_t *doc, const struct arguments *a, int status)
{
	struct error err = {0};

	if (learn_print(doc, a->learned >= 0 ? a->learned : STDERR_FILENO, &err) < 0)
		return ending_ours(doc, &err);
	return status;
}

/* A person who waits for a table should know that there will be one. */
static void say_learning(const struct arguments *a)
{
	if (a->learn && isatty(STDERR_FILENO))
		complain("learning: what the command needs is written to %s when it ends",
		         a->learn_file ? a->learn_file : "standard error");
}

int run_document(json_t *doc, const struct arguments *a, const struct inherited *inherited, int in)
{
	struct sink sink = {.fd = a->report == REPORT_JSON ? a->report_fd : -1};
	cleanup_json json_t *questions = xjson(json_array());
	cleanup_json json_t *settled = xjson(json_object());
	cleanup_json json_t *again = NULL;
	struct preview_state preview = {.lock = -1};
	json_t *final;
	int status;

	questions_add(questions, doc);
	say_learning(a);
	status = attempt(doc, a, inherited, in, &preview, &sink, questions, settled);
	/* What was tried out is not tried out again with more. */
	if (!a->learn && !preview.place)
		again = retry_after_denial(doc, a, questions, settled);
	final = again ? again : doc;
	if (again) {
		tell_retry(&sink);
		status = attempt(again, a, inherited, in, &preview, &sink, questions, settled);
		if (!document_error(again))
			json_object_set_new(json_object_get(again, "result"), "attempts",
			                    json_integer(2));
	}
	if (preview.place)
		status = preview_end(&preview, final, a, questions, status);
	preview_free(&preview);
	questions_set(final, questions);
	if (a->report == REPORT_HUMAN)
		human_report(final, a->report_fd, a->report_given);
	else if (a->report == REPORT_BRIEF)
		brief_report(final, a->report_fd);
	if (a->learn && !document_error(final))
		status = learn(final, a, status);
	return ending(final, a, &sink, status);
}
