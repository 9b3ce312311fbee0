#include "project/ask_trust.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "fs/home_directory.h"
#include "policy/words.h"
#include "project/write_trust.h"
#include "terminal/question_terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long another question at the same terminal is waited for. */
#define LIMIT_MS 60000

/* What can be hidden from every run of a project. */
static const char *const presets[] = {"secrets", "gitignored", NULL};

struct by_option {
	const struct request *request;
	char *done; /* what has happened once it is written */
};

/* Each line that was seen of the project's files is a row, whatever is in it. */
static void show_widenings(const struct fold *fold, const char *widens)
{
	while (*widens) {
		size_t len = strcspn(widens, "\n");
		cleanup_free char *line = xstrndup(widens, len);

		fold_field(fold, "  its file ", line, 0, "");
		widens += len + (widens[len] == '\n');
	}
}

static int by_option(void *context, const char *project, const char *widens,
                     struct trust_answer *answer, struct error *err)
{
	struct by_option *by = context;
	const struct request *request = by->request;
	struct fold fold = {.out = stdout, .columns = fold_columns(STDOUT_FILENO), .end = "\n"};
	cleanup_free char *clean = text_clean(project);
	bool trust = request->question == QUESTION_TRUST;

	answer->verdict = trust ? VERDICT_TRUST : VERDICT_UNTRUST;
	for (size_t i = 0; i < request->flags.hidden.count; i++) {
		int which = word_index(presets, request->flags.hidden.paths[i]);

		if (which < 0 || answer->hide)
			return error_set(err, EXIT_USAGE, "usage",
			                 "--trust --hide: expected secrets or gitignored, once; "
			                 "other paths are a matter of a permission set");
		answer->hide = presets[which];
	}
	by->done = xasprintf("%s: %s%s%s%s", clean, trust ? "trusted" : "untrusted",
	                     trust && answer->hide ? ", " : "",
	                     trust && answer->hide ? answer->hide : "",
	                     trust && answer->hide ? " hidden" : "");
	/* Seen before it counts. */
	if (fold.columns > 0)
		show_widenings(&fold, widens);
	else
		fputs(widens, stdout);
	return fflush(stdout) == EOF || ferror(stdout) ? error_system(err, "writing") : 0;
}

int trust_by_option(const char *directory, const struct request *request, struct error *err)
{
	struct by_option by = {.request = request};
	int status =
	        decide_trust(directory, request->question == QUESTION_TRUST, by_option, &by, err);

	if (status == 0 && (puts(by.done) == EOF || fflush(stdout) == EOF))
		status = error_system(err, "writing");
	free(by.done);
	return status;
}

bool trust_is_asked(const struct settings *settings)
{
	return settings->trust.level == TRUST_UNKNOWN && settings->mode.layer == LAYER_DEFAULT &&
	       !settings->set.name && settings->approval.value != ASK_NEVER &&
	       strcmp(settings->trust.path, "/") != 0 && !around_home(settings->trust.path);
}

static void show(struct tty *t, const char *project, const char *widens)
{
	cleanup_free char *head = xasprintf("%s: ", speaker());
	bool colour = tty_has_colours();

	t->fold.columns = fold_columns(t->fd);
	fprintf(t->fold.out, "\r\n%s", colour ? "\033[1m" : "");
	fold_ready(&t->fold, head, "do you trust this project?");
	fputs(colour ? "\033[0m" : "", t->fold.out);
	fold_field(&t->fold, "  project  ", project, 0, "");
	fold_field(&t->fold, "  trusted  ",
	           "commands write in it and in a /tmp of their own, reach nobody over the "
	           "network, and you are asked before more",
	           0, "");
	fold_field(&t->fold, "  not      ", "commands write nothing, and you are asked about them",
	           0, "");
	show_widenings(&t->fold, widens);
	tty_key_row(t, "[y] yes, from now on");
	tty_key_row(t, "[h] yes, and hide keys and tokens from it (--hide secrets)");
	tty_key_row(t, "[g] yes, and hide what git ignores in it (--hide gitignored)");
	tty_key_row(t, "[n] no, from now on");
	tty_key_row(t, "[l] not now: ask again at the next run");
	fputs("  [q] abort ", t->fold.out);
}

/* False: not one of the keys. */
static bool take_key(int key, struct trust_answer *answer, bool *abort)
{
	*answer = (struct trust_answer){.hide = key == 'h'   ? presets[0]
	                                        : key == 'g' ? presets[1]
	                                                     : NULL};
	*abort = key == 'q' || key == 3 || key == 4 || key == TTY_ENDED;
	answer->verdict = key == 'y' || answer->hide ? VERDICT_TRUST
	                  : key == 'n'               ? VERDICT_UNTRUST
	                                             : VERDICT_LATER;
	return *abort || answer->verdict != VERDICT_LATER || key == 'l';
}

/* How it is undone stands where it was decided. */
static void say_undo(struct tty *t, const char *project, const struct trust_answer *answer)
{
	cleanup_free char *quoted = text_quote(project);
	cleanup_free char *line = NULL;
	bool trust = answer->verdict == VERDICT_TRUST;

	if (answer->verdict == VERDICT_LATER)
		return;
	line = xasprintf("%s; undo with: sbx-policy --%strust %s",
	                 trust ? "trusted" : "not trusted", trust ? "un" : "", quoted);
	fold_field(&t->fold, "  ", line, 0, "");
}

struct at_terminal {
	struct tty tty;
	bool open;
	struct trust_answer answer;
	char *project;
};

static int at_terminal(void *context, const char *project, const char *widens,
                       struct trust_answer *answer, struct error *err)
{
	struct at_terminal *at = context;
	bool abort = false;
	struct error none = {0};
	int key;

	at->answer = (struct trust_answer){.verdict = VERDICT_LATER};
	at->open = tty_open(&at->tty, LIMIT_MS, &none) == 0;
	if (!at->open)
		return 0;
	for (;;) {
		show(&at->tty, project, widens);
		key = tty_key_shown(&at->tty);
		if (take_key(key, answer, &abort))
			break;
		tty_no_such_key(&at->tty, key);
	}
	at->answer = *answer;
	at->project = xstrdup(project);
	return abort ? error_set(err, EXIT_DENIED, "not-approved", "not run: you said no") : 0;
}

int trust_ask(const char *workspace, struct notes *notes, struct error *err)
{
	struct at_terminal at = {.answer = {.verdict = VERDICT_LATER}};
	struct error why = {0};
	int status = decide_trust(workspace, true, at_terminal, &at, &why);

	/* Only what is written can be undone. */
	if (at.open && status == 0)
		say_undo(&at.tty, at.project, &at.answer);
	if (at.open)
		tty_close(&at.tty);
	free(at.project);
	if (status == 0)
		return at.answer.verdict != VERDICT_LATER;
	if (why.exit == EXIT_DENIED)
		return *err = why, -1;
	notes_add(notes, "no decision about this project: %s", why.message);
	return 0;
}
