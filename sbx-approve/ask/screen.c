#include "ask/screen.h"

#include "ask/preview_changes.h"
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "grant/denial.h"
#include "policy/permissions.h"
#include "policy/words.h"
#include "terminal/question_terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than this is shown only on demand, and never just its head. */
#define COMMAND_SHOWN 1800
#define FIELD_SHOWN   900
#define ROWS_SHOWN    12

struct screen {
	const struct fold *fold;
	bool all, cut;
};

static void field(struct screen *s, const char *label, const char *text)
{
	cleanup_free char *head = xasprintf("  %-8s ", label);
	bool command = strcmp(label, "command") == 0 || strcmp(label, "patch") == 0;

	s->cut |= fold_field(s->fold, head, text,
	                     s->all    ? 0
	                     : command ? COMMAND_SHOWN
	                               : FIELD_SHOWN,
	                     command ? "bytes of the command are NOT shown here: v shows them"
	                             : "bytes are NOT shown here: v shows them");
}

static void field_json(struct screen *s, const char *label, const json_t *value)
{
	struct error ignored = {0};
	cleanup_free char *text = NULL;

	if (!value || json_is_null(value))
		return;
	text = os_string_get(value, label, &ignored);
	if (!text)
		text = json_text_dump(value, JSON_COMPACT | JSON_ENCODE_ANY);
	if (text)
		field(s, label, text);
}

/* A list, of which the first are shown unless all are wanted. */
static bool enough(struct screen *s, size_t i, size_t count)
{
	cleanup_free char *text = NULL;

	if (s->all || i < ROWS_SHOWN)
		return false;
	text = xasprintf("and %zu more: v shows them", count - i);
	fold_ready(s->fold, "           ", text);
	s->cut = true;
	return true;
}

/* As a shell would have to read it; also of a patch: that is what runs. */
static void command(struct screen *s, const struct question *q)
{
	struct fold fold = *s->fold;
	struct screen lines = {.fold = &fold, .all = s->all};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (char *const *word = q->command.argv; f && *word; word++) {
		cleanup_free char *quoted = text_quote(*word);

		fprintf(f, "%s%s", word == q->command.argv ? "" : " ", quoted);
	}
	if (!f || fclose(f) != 0) {
		free(text);
		text = xstrdup(q->key);
	}
	/* The text of a patch is made of lines. */
	fold.lines = strcmp(q->command.tool, "patch") == 0;
	field(&lines, "command", text);
	s->cut |= lines.cut;
	free(text);
}

/* What a patch changes, as it is written. */
static void patch(struct screen *s, const json_t *text)
{
	struct fold fold = *s->fold;
	struct screen lines = {.fold = &fold, .all = s->all};

	fold.lines = true;
	fold.diff = s->fold->columns && tty_has_colours();
	field_json(&lines, "patch", text);
	s->cut |= lines.cut;
}

/* What the failed attempt printed. */
static void said(struct screen *s, const json_t *text)
{
	struct fold fold = *s->fold;
	struct screen lines = {.fold = &fold, .all = s->all};

	fold.lines = true;
	field_json(&lines, "said", text);
	s->cut |= lines.cut;
}

/* A row for each. */
static void each(struct screen *s, const char *label, const json_t *list)
{
	size_t i;
	json_t *one;

	json_array_foreach (list, i, one) {
		if (enough(s, i, json_array_size(list)))
			break;
		field_json(s, label, one);
	}
}

static void change_row(struct screen *s, const json_t *change)
{
	const char *why = preview_change_warning(change);
	cleanup_free char *line = preview_change_line(change);
	cleanup_free char *shown = fold_shown(line);
	cleanup_free char *mark = fold_shown(why ? why : "");
	/* Three blanks are ours: those of a name are counted. */
	cleanup_free char *text = xasprintf("%s%s%s", shown, why ? "   !! " : "", mark);

	fold_ready(s->fold, why ? "  look at  " : "  change   ", text);
}

/* Of one reason to look at a change; of each as many as of what has none. */
static void changes_of(struct screen *s, const json_t *list, const char *reason)
{
	size_t i, rows = 0, all = 0;
	json_t *change;

	json_array_foreach (list, i, change) {
		const char *why = preview_change_warning(change);

		all += reason ? why && strcmp(why, reason) == 0 : !why;
	}
	json_array_foreach (list, i, change) {
		const char *why = preview_change_warning(change);

		if (reason ? !why || strcmp(why, reason) != 0 : why != NULL)
			continue;
		if (enough(s, rows++, all))
			break;
		change_row(s, change);
	}
}

/* Each in a row: what something on the host would run first, reason by reason. */
static void changes_by_reason(struct screen *s, const json_t *list)
{
	cleanup_json json_t *seen = xjson(json_object());
	size_t i;
	json_t *change;

	json_array_foreach (list, i, change) {
		const char *why = preview_change_warning(change);

		if (!why || json_object_get(seen, why))
			continue;
		json_object_set_new(seen, why, json_true());
		changes_of(s, list, why);
	}
	changes_of(s, list, NULL);
}

/* What a preview has changed, and then in full. */
static void changes(struct screen *s, const json_t *request)
{
	struct fold fold = *s->fold;
	struct screen lines = {.fold = &fold, .all = s->all};

	changes_by_reason(s, json_object_get(request, "changes"));
	fold.lines = true;
	fold.diff = s->fold->columns && tty_has_colours();
	field_json(&lines, "diff", json_object_get(request, "diff"));
	s->cut |= lines.cut;
}

static void denials(struct screen *s, const json_t *list)
{
	size_t i;
	json_t *denial;

	json_array_foreach (list, i, denial) {
		const char *op = json_string_value(json_object_get(denial, "op"));
		const char *call = json_string_value(json_object_get(denial, "syscall"));
		const json_t *what = json_object_get(denial, "path");
		struct error ignored = {0};
		cleanup_free char *path = what ? os_string_get(what, "path", &ignored) : NULL;
		const char *address = json_string_value(json_object_get(denial, "address"));
		cleanup_free char *text = xasprintf("%s %s", op ? op : "?",
		                                    path      ? path
		                                    : address ? address
		                                    : call    ? call
		                                              : "");

		if (enough(s, i, json_array_size(list)))
			break;
		field(s, "denied", text);
	}
}

/* A directory that is to be made first. */
static bool new_directory(struct screen *s, const json_t *list)
{
	size_t i;
	json_t *denial;

	json_array_foreach (list, i, denial) {
		cleanup_free char *directory = denial_new_directory(denial);
		cleanup_free char *quoted = directory ? text_quote(directory) : NULL;
		cleanup_free char *text = NULL;

		if (!directory || denial_wants_empty(denial))
			continue;
		text = xasprintf("answer no, and run it again with --add-dir %s, which makes only "
		                 "that directory",
		                 quoted);
		field(s, "instead", text);
		return true;
	}
	return false;
}

/* Where no yes gives just what is missing, an option or another directory does. */
static void instead(struct screen *s, const struct question *q, const json_t *request)
{
	const json_t *grant = json_object_get(request, "grant");
	const char *network = json_string_value(json_object_get(grant, "network"));

	if (q->judgement.want != WANT_RETRY)
		return;
	if (network && network_parse(network) == NETWORK_ON)
		field(s, "instead",
		      "answer no, and run it again with --allow-host NAME, which lets it reach only "
		      "that host");
	else if (!grant && !new_directory(s, json_object_get(request, "denials")) &&
	         question_wants_home(q))
		field(s, "instead",
		      "answer no, and let it write in a subdirectory: no option opens a home "
		      "directory");
}

/* Where it would run, if the answer is the least of the yeses. */
static void sandbox(struct screen *s, const struct question *q, bool granting)
{
	const json_t *permissions = json_object_get(q->policy, "permissions");
	const char *set = json_string_value(json_object_get(q->policy, "permission_set"));
	const char *network = json_string_value(json_object_get(permissions, "network"));
	int mode = policy_mode(q->policy);
	cleanup_free char *text = NULL;

	if ((question_unconfined(q) && !granting) || mode < 0)
		return;
	text = xasprintf("%s, network %s", set ? set : mode_names[mode], network ? network : "?");
	field(s, "sandbox", text);
	if (grant_is_nothing(&q->scope))
		return;
	field(s, "session", "gives every command here, this one as well:");
	screen_grant(s->fold, &q->scope, NULL);
}

/* A host that a running command waits for, and which of its programs. */
static void waiting(struct screen *s, const struct question *q, const json_t *waiting)
{
	if (!q->host)
		return;
	field(s, "host", q->host);
	field_json(s, "program", json_object_get(waiting, "program"));
}

/* A command that its own caller asks about is what every question is about. */
static void source(struct screen *s, const json_t *who)
{
	const char *name = json_string_value(who);

	if (!name || strcmp(name, "exec") != 0)
		field_json(s, "source", who);
}

bool screen_question(const struct fold *fold, const struct question *q, const json_t *request,
                     bool all)
{
	struct screen s = {.fold = fold, .all = all};
	const json_t *risk = json_object_get(request, "risk");
	const char *level = json_string_value(json_object_get(risk, "level"));
	const char *description = json_string_value(json_object_get(risk, "description"));

	waiting(&s, q, json_object_get(request, "waiting"));
	command(&s, q);
	patch(&s, json_object_get(json_object_get(q->doc, "command"), "patch"));
	each(&s, "changes", json_object_get(request, "files"));
	changes(&s, request);
	each(&s, "variable", json_object_get(request, "variables"));
	field_json(&s, "cwd", json_object_get(request, "cwd"));
	sandbox(&s, q, json_is_object(json_object_get(request, "grant")));
	source(&s, json_object_get(request, "source"));
	field_json(&s, "reason", json_object_get(request, "reason"));
	field_json(&s, "why", json_object_get(request, "justification"));
	if (level) {
		cleanup_free char *text =
		        xasprintf("%s: %s", level, description ? description : "");

		field(&s, "risk", text);
	}
	denials(&s, json_object_get(request, "denials"));
	instead(&s, q, request);
	said(&s, json_object_get(request, "stderr"));
	return s.cut;
}

static void granted_path(const struct fold *fold, const char *label, const char *path,
                         const char *why)
{
	cleanup_free char *shown = fold_shown(path);
	cleanup_free char *mark = fold_shown(why ? why : "");
	/* Three blanks are ours: those of a path are counted. */
	cleanup_free char *text = xasprintf("%s%s%s", shown, why ? "   !! " : "", mark);

	fold_ready(fold, label, text);
}

void screen_grant(const struct fold *fold, const struct grant *grant, const json_t *sensitive)
{
	static const char *const labels[] = {[GRANT_WRITE] = "      write ",
	                                     [GRANT_READ] = "      read ",
	                                     [GRANT_SOCKETS] = "      connect to ",
	                                     [GRANT_HOSTS] = "      reach "};
	cleanup_free char *network = NULL;

	for (int list = 0; list < GRANT_LISTS; list++)
		for (char **path = grant->paths[list]; path && *path; path++)
			granted_path(fold, labels[list], *path,
			             json_string_value(json_object_get(sensitive, *path)));
	if (grant->network < 0)
		return;
	network = xasprintf(
	        "%s%s", network_names[grant->network],
	        grant->network == NETWORK_ON ? "   !! everything that this machine can reach" : "");
	fold_ready(fold, "      network ", network);
}

void screen_hidden(const struct fold *fold, const json_t *hidden)
{
	struct screen s = {.fold = fold, .all = true};
	size_t i;
	json_t *place;

	json_array_foreach (hidden, i, place)
		field_json(&s, "hidden", place);
}
