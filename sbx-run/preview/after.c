#include "preview/after.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/document.h"
#include "document/osstring.h"
#include "document/stage.h"
#include "pipeline.h"
#include "policy/words.h"
#include "preview/kept.h"
#include "preview/show_changes.h"
#include "process/own_terminal.h"
#include "report/questions.h"
#include "report/result.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHOWN 20
/* What a person can be asked about. */
#define DIFF_ASKED (64UL << 10)

struct conclusion {
	struct preview_state *state;
	json_t *doc, *changes, *questions;
	const struct arguments *a;
};

enum answer { ANSWER_YES, ANSWER_NO, ANSWER_NOBODY };

static bool on_change(const struct conclusion *e)
{
	return policy_asks(json_object_get(e->doc, "policy")) == ASK_ON_CHANGE;
}

/* A person who tries something out is asked at the end; whoever is not there is not. */
static bool is_asked(const struct conclusion *e)
{
	if (on_change(e))
		return true;
	return e->a->report == REPORT_HUMAN && !e->a->json && !e->a->approver_said && !e->a->exec &&
	       policy_asks(json_object_get(e->doc, "policy")) != ASK_NEVER &&
	       own_terminal_is_ours(isatty(STDERR_FILENO) ? STDERR_FILENO : -1);
}

static void set_state(const struct conclusion *e, const char *word)
{
	json_object_set_new(e->changes, "state", json_string(word));
}

/* The command, its policy, and what it changed: a question for sbx-approve. */
static json_t *question(const struct conclusion *e)
{
	json_t *doc = xjson(json_copy(e->doc));
	json_t *changes = xjson(json_copy(e->changes));
	struct error none = {0};
	cleanup_free char *diff = kept_diff_text(e->state, DIFF_ASKED, &none);

	if (diff)
		json_object_set_new(changes, "diff", os_bytes(diff, strlen(diff)));
	json_object_set_new(changes, "asked", json_true());
	json_object_set_new(doc, "result", xjson(json_pack("{s:o}", "changes", changes)));
	json_object_del(doc, "approval");
	json_object_del(doc, "exec");
	json_object_del(doc, "sandbox");
	return doc;
}

static enum answer ask(const struct conclusion *e)
{
	cleanup_json json_t *asked = question(e);
	cleanup_json json_t *answered = NULL;
	const char *decision, *by;
	struct error err = {0};

	if (pipeline_decide(e->a, asked, &answered, &err) < 0)
		complain("%s", err.message);
	questions_add(e->questions, answered);
	decision = json_string_value(
	        json_object_get(json_object_get(answered, "approval"), "decision"));
	by = json_string_value(json_object_get(json_object_get(answered, "approval"), "by"));
	if (!decision || !by || strcmp(by, "none") == 0 || strcmp(decision, "abort") == 0)
		return ANSWER_NOBODY;
	return strncmp(decision, "approved", 8) == 0 ? ANSWER_YES : ANSWER_NO;
}

static int failed(const struct conclusion *e, const struct error *err)
{
	if (*err->message)
		complain("%s", err->message);
	complain("the changes are kept as %s", e->state->id);
	return run_status(err->exit);
}

static int apply(const struct conclusion *e, int status)
{
	char *all[] = {NULL};
	struct error err = {0};

	if (kept_apply(e->state, e->a, all, false, &err) < 0) {
		set_state(e, "kept");
		return failed(e, &err);
	}
	set_state(e, "applied");
	return status;
}

static int discard(const struct conclusion *e, int status)
{
	struct error err = {0};

	if (kept_discard(e->state, &err) < 0)
		return failed(e, &err);
	set_state(e, "discarded");
	return status;
}

static void tell_kept(const struct conclusion *e)
{
	cleanup_free char *count = count_changes(e->changes);

	const char *id = e->state->id;
	cleanup_free char *line = xasprintf(
	        "%s, kept as %s: sbx-run --apply %s makes them, --discard %s forgets them", count,
	        id, id, id);

	if (e->a->report != REPORT_HUMAN && e->a->report != REPORT_BRIEF)
		return;
	if (e->a->report_fd == STDERR_FILENO)
		complain("%s", line);
	else
		dprintf(e->a->report_fd, "%s: %s\n", program_name, line);
}

static void show(const struct conclusion *e)
{
	struct error err = {0};
	char *all[] = {NULL};
	cleanup_free char *cwd = os_string_get(
	        json_object_get(json_object_get(e->doc, "command"), "cwd"), "cwd", &err);

	if (e->a->report == REPORT_HUMAN)
		show_changes(e->changes, cwd, SHOWN, e->a->report_fd);
	if (e->a->diff)
		kept_diff(e->state, all,
		          e->a->report == REPORT_JSON ? STDERR_FILENO : e->a->report_fd, &err);
}

static int decide(const struct conclusion *e, int status)
{
	enum answer answer = is_asked(e) ? ask(e) : ANSWER_NOBODY;

	if (answer == ANSWER_YES)
		return apply(e, status);
	if (answer == ANSWER_NO && on_change(e))
		complain("not applied: the changes were refused, and are forgotten");
	if (answer == ANSWER_NO)
		return discard(e, on_change(e) ? 126 : status);
	set_state(e, "kept");
	if (on_change(e))
		complain("not applied: nobody has approved the changes; they are kept as %s: "
		         "sbx-run --apply %s",
		         e->state->id, e->state->id);
	else
		tell_kept(e);
	return on_change(e) ? 126 : status;
}

int preview_end(struct preview_state *state, json_t *doc, const struct arguments *a,
                json_t *questions, int status)
{
	struct conclusion e = {.state = state, .doc = doc, .a = a, .questions = questions};
	json_t *result = json_object_get(doc, "result");
	struct error err = {0};

	if (!state->place)
		return status;
	preview_unlock(state);
	kept_expire();
	e.changes = kept_changes(state, &err);
	if (!e.changes) {
		int broken = failed(&e, &err);

		return document_error(doc) ? status : broken;
	}
	json_object_set_new(result, "changes", e.changes);
	if (json_array_size(json_object_get(e.changes, "list")) == 0) {
		json_object_del(e.changes, "id");
		return discard(&e, status);
	}
	show(&e);
	return decide(&e, status);
}
