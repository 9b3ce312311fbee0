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
#include <string.h>

/* How long another question at the same terminal is waited for. */
#define LIMIT_MS 60000

/* What can be hidden from every run of a project. */
static const char *const presets[] = {"secrets", "gitignored", NULL};

static int by_option(void *context, const char *project, const char *widens,
                     struct trust_answer *answer, struct error *err)
{
	const struct request *request = context;
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
	fputs(widens, stdout);
	printf("%s: %s", clean, trust ? "trusted" : "untrusted");
	if (trust && answer->hide)
		printf(", %s hidden", answer->hide);
	putchar('\n');
	return fflush(stdout) == EOF ? error_system(err, "writing") : 0;
}

int trust_by_option(const char *directory, const struct request *request, struct error *err)
{
	/* Of the judge alone, which does not change it. */
	struct request copy = *request;

	return decide_trust(directory, request->question == QUESTION_TRUST, by_option, &copy, err);
}

bool trust_is_asked(const struct settings *settings)
{
	return settings->trust.level == TRUST_UNKNOWN && settings->mode.layer == LAYER_DEFAULT &&
	       !settings->set.name && settings->approval.value != ASK_NEVER &&
	       strcmp(settings->trust.path, "/") != 0 && !around_home(settings->trust.path);
}

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
	fold_ready(&t->fold, "  ", "[y] yes, from now on");
	fold_ready(&t->fold, "  ", "[h] yes, and hide keys and tokens from it (--hide secrets)");
	fold_ready(&t->fold, "  ", "[g] yes, and hide what git ignores in it (--hide gitignored)");
	fold_ready(&t->fold, "  ", "[n] no, from now on");
	fold_ready(&t->fold, "  ", "[l] not now: ask again at the next run");
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

static int at_terminal(void *context, const char *project, const char *widens,
                       struct trust_answer *answer, struct error *err)
{
	bool *decided = context, abort = false;
	struct error none = {0};
	struct tty tty;
	int key;

	if (tty_open(&tty, LIMIT_MS, &none) < 0)
		return 0;
	do {
		show(&tty, project, widens);
		key = tty_key_shown(&tty);
	} while (!take_key(key, answer, &abort));
	if (!abort)
		say_undo(&tty, project, answer);
	tty_close(&tty);
	*decided = answer->verdict != VERDICT_LATER;
	return abort ? error_set(err, EXIT_DENIED, "not-approved", "not run: you said no") : 0;
}

int trust_ask(const char *workspace, struct notes *notes, struct error *err)
{
	bool decided = false;
	struct error why = {0};

	if (decide_trust(workspace, true, at_terminal, &decided, &why) == 0)
		return decided;
	if (why.exit == EXIT_DENIED)
		return *err = why, -1;
	notes_add(notes, "no decision about this project: %s", why.message);
	return 0;
}
