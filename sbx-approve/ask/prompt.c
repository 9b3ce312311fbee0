#include "ask/prompt.h"

#include "program/answer.h"
#include "ask/keep.h"
#include "terminal/question_terminal.h"
#include "ask/screen.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "fs/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct prompt {
	struct tty *tty;
	const struct question *q;
	const json_t *request;
	bool in_session;
	struct grant grant;      /* y, a */
	bool granting;           /* it is something */
	const json_t *sensitive; /* what in it is marked */
	char *directory;         /* w, for a patch */
	enum keep keep;          /* r */
	bool cut;                /* v */
	bool inside;             /* y and a are offered: the policy's sandbox, and the grant */
	bool outside;            /* o and O are: they leave it */
	bool colour;
	bool at_inbox; /* l and ^C leave the question as it is */
	bool left;     /* one of them was pressed */
};

/* The directory that holds every file of a patch, or NULL. */
static char *common_directory(const json_t *files)
{
	cleanup_free char *common = NULL;

	for (size_t i = 0; i < json_array_size(files); i++) {
		const char *file = json_string_value(json_array_get(files, i));

		if (!file || !path_is_normal(file))
			return NULL;
		if (!common)
			common = path_parent(file);
		while (!path_contains(common, file)) {
			cleanup_free char *lower = common;

			common = path_parent(lower);
		}
	}
	return common && strcmp(common, "/") != 0 ? keep_ptr(common) : NULL;
}

static void key_row(const struct prompt *p, const char *text)
{
	tty_key_row(p->tty, text);
}

/* In a colour of its own: whoever chooses it has seen it. */
static void key_outside(const struct prompt *p, const char *text)
{
	fputs(p->colour ? "\033[1;31m" : "", p->tty->fold.out);
	key_row(p, text);
	fputs(p->colour ? "\033[0m" : "", p->tty->fold.out);
}

/* Short ones side by side, as far as they fit; the cursor stays behind the last. */
static void show_last_keys(const struct prompt *p)
{
	const char *const keys[] = {p->keep == KEEP_RULE    ? "[r] save a rule"
	                            : p->keep == KEEP_GRANT ? "[r] give it to the project"
	                                                    : NULL,
	                            p->cut ? "[v] all of it" : NULL,
	                            "[?] help",
	                            p->q->changes ? "[n] forget them" : "[n] no",
	                            p->at_inbox ? "[l] list" : NULL,
	                            p->q->host      ? "[q] end the command"
	                            : p->q->changes ? "[q] keep them for later"
	                                            : "[q] abort"};
	unsigned at = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		unsigned len = keys[i] ? (unsigned)strlen(keys[i]) + 2 : 0;

		if (len && at && at + len + 1 >= p->tty->fold.columns) {
			fputs("\r\n", p->tty->fold.out);
			at = 0;
		}
		if (len)
			fprintf(p->tty->fold.out, "  %s", keys[i]);
		at += len;
	}
	fputc(' ', p->tty->fold.out);
}

/* One host, at one port, and nothing else to choose. */
static void show_host_keys(const struct prompt *p)
{
	key_row(p, "[y] yes, as long as this command runs");
	if (p->in_session)
		key_row(p, "[a] for the session");
	key_row(p, "[p] for the project: shown before it is saved");
	show_last_keys(p);
}

/* The least first; what needs a session is offered where there is one. */
static void show_keys(const struct prompt *p)
{
	const struct fold *fold = &p->tty->fold;

	if (p->q->host) {
		show_host_keys(p);
		return;
	}
	if (p->q->changes) {
		key_row(p, "[y] yes, make all of them");
		show_last_keys(p);
		return;
	}
	if (p->inside)
		key_row(p, p->granting ? "[y] once, in the sandbox, with just this:"
		                       : "[y] yes, once");
	if (p->granting)
		screen_grant(fold, &p->grant, p->sensitive);
	if (p->inside && p->in_session)
		key_row(p, p->granting ? "[a] the same, and just this for every command here until "
		                         "the session ends"
		                       : "[a] the same, for the session");
	if (p->directory) {
		cleanup_free char *place = fold_shown(p->directory);
		cleanup_free char *shown = xasprintf("%s, for the session", place);

		fold_ready(fold, "  [w] all files below ", shown);
	}
	if (p->outside)
		key_outside(p, "[o] OUTSIDE the sandbox, once");
	if (p->outside && p->in_session)
		key_outside(p, "[O] OUTSIDE the sandbox, for the session");
	show_last_keys(p);
}

struct key_help {
	const char *key, *what;
};

static void explain(const struct prompt *p, const struct key_help *rows)
{
	for (; rows->key; rows++)
		fold_field(&p->tty->fold, rows->key, rows->what, 0, "");
}

static const struct key_help to_list[] = {
        {"  l        ", "leaves it open, and goes back to the list; ^C leaves the inbox"},
        {NULL, NULL},
};

static void explain_host_keys(const struct prompt *p)
{
	const struct key_help rows[] = {
	        {"  y        ", "lets the command reach that host at that port until it ends"},
	        {"  a        ", "the same, and other commands of the session without a question"},
	        {"  p        ", "saves a rule in your own configuration, for this project"},
	        {"  n        ", "refuses the connection; the command goes on"},
	        {"  q        ", p->at_inbox ? "refuses it and ends the command"
	                                    : "refuses it and ends the command; so does ^C"},
	        {"           ", "without an answer it is refused after a minute; the command "
	                        "stands still until then"},
	        {NULL, NULL},
	};

	explain(p, rows);
	if (p->at_inbox)
		explain(p, to_list);
}

static void explain_change_keys(const struct prompt *p)
{
	static const struct key_help rows[] = {
	        {"  y        ",
	         "makes all of these changes, or none if one of them cannot be made"},
	        {"  v        ", "shows what was left out above"},
	        {"  n        ", "forgets them; nothing was changed"},
	        {"  q        ", "keeps them: sbx-run --changes lists them, --apply makes them"},
	        {NULL, NULL},
	};

	explain(p, rows);
}

static void explain_keys(const struct prompt *p)
{
	const struct {
		bool offered;
		const char *key, *what;
	} rows[] = {
	        {p->inside, "  y        ",
	         "runs it once, in the sandbox and with the network shown above, and with what is "
	         "listed below the key, nothing else"},
	        {p->inside && p->in_session, "  a        ",
	         "the same, and the same command again without a question until the session ends; "
	         "what is listed is then given to every command in this directory under this "
	         "policy, in the sandbox"},
	        {p->directory, "  w        ",
	         "every patch to files below that directory, until the session ends"},
	        {p->outside, "  o        ",
	         "runs it without the sandbox, with everything that you can do"},
	        {p->outside && p->in_session, "  O        ",
	         "the same, and the same command again without a question until the session ends"},
	        {p->keep == KEEP_RULE, "  r        ",
	         "saves a rule, so that this is not asked again; shown before it is written"},
	        {p->keep == KEEP_GRANT, "  r        ",
	         "gives the project what is listed, in every run; shown before it is written"},
	        {p->cut, "  v        ", "shows what was left out above"},
	        {true, "  n        ", "does not run it; the program that asked for it goes on"},
	        {true, "  q        ", "does not run it, and tells that program to stop"},
	};

	if (p->q->host) {
		explain_host_keys(p);
		return;
	}
	if (p->q->changes) {
		explain_change_keys(p);
		return;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].offered)
			fold_field(&p->tty->fold, rows[i].key, rows[i].what, 0, "");
	if (p->at_inbox)
		explain(p, to_list);
}

static const char *title(const struct prompt *p)
{
	return p->q->host                                          ? "may this connect?"
	       : p->q->changes                                     ? "may these changes be made?"
	       : p->q->judgement.want == WANT_RETRY && p->granting ? "may this run again?"
	       : question_outside(p->q)    ? "may this run OUTSIDE the sandbox?"
	       : question_unconfined(p->q) ? "may this run with full access, WITHOUT a sandbox?"
	                                   : "may this run?";
}

/* The whole question, at the width that the terminal has now. */
static void show(struct prompt *p, bool all)
{
	cleanup_free char *head = xasprintf("%s: ", speaker());

	p->tty->fold.columns = fold_columns(p->tty->fd);
	fprintf(p->tty->fold.out, "\r\n%s", p->colour ? "\033[1m" : "");
	fold_ready(&p->tty->fold, head, title(p));
	fputs(p->colour ? "\033[0m" : "", p->tty->fold.out);
	p->cut = screen_question(&p->tty->fold, p->q, p->request, all);
	if (p->outside)
		screen_hidden(&p->tty->fold, p->q->hidden);
}

/*
 * What the policy hides is not hidden outside; that is agreed to by a key of
 * its own, not by the habit of the first.
 */
static bool agrees_to_hidden(struct prompt *p)
{
	if (json_array_size(p->q->hidden) == 0)
		return true;
	screen_hidden(&p->tty->fold, p->q->hidden);
	tty_key_row(p->tty, "OUTSIDE, what the policy hides can be read and written.");
	fputs("  [h] open all of it  [n] back ", p->tty->fold.out);
	return tty_key_shown(p->tty) == 'h';
}

static json_t *with_grant(const struct grant *grant, const char *word)
{
	return xjson(json_pack("{s:s,s:o}", "decision", word, "grant", grant_json(grant)));
}

/* In the sandbox that was shown, or where the policy has none. */
static json_t *inside(const struct prompt *p, const char *word)
{
	return p->granting ? with_grant(&p->grant, word)
	                   : xjson(json_pack("{s:s}", "decision", word));
}

static json_t *outside(struct prompt *p, const char *word)
{
	struct grant all = {.network = -1, .outside = true};

	if (!agrees_to_hidden(p))
		return NULL;
	if (json_array_size(p->q->hidden) > 0)
		all.none = p->q->hidden;
	return with_grant(&all, word);
}

static bool is_offered(const struct prompt *p, int key)
{
	switch (key) {
	case 'y':
		return p->inside;
	case 'a':
		return p->inside && p->in_session;
	case 'p':
		return p->q->host != NULL;
	case 'o':
		return p->outside;
	case 'O':
		return p->outside && p->in_session;
	case 'w':
		return p->directory != NULL;
	case 'r':
		return p->keep != KEEP_NOTHING;
	case 'v':
		return p->cut;
	case 'l':
		return p->at_inbox;
	}
	return key == TTY_ENDED || key == TTY_RESIZED || strchr("?nq\003\004", key);
}

/* Of one that is offered.  NULL: back from a question of its own. */
static json_t *take_key(struct prompt *p, int key)
{
	switch (key) {
	case 'y':
		return inside(p, "approved");
	case 'a':
		return inside(p, "approved_for_session");
	case 'p':
		return keep_ask(p->tty, p->q, KEEP_RULE, NULL);
	case 'o':
		return outside(p, "approved");
	case 'O':
		return outside(p, "approved_for_session");
	case 'w':
		return xjson(json_pack("{s:s,s:s}", "decision", "approved_for_session",
		                       "grant_root", p->directory));
	case '?':
		explain_keys(p);
		return NULL;
	case 'r':
		return keep_ask(p->tty, p->q, p->keep, &p->grant);
	case 'v':
		show(p, true);
		return NULL;
	case TTY_RESIZED:
		if (p->at_inbox)
			tty_clear(p->tty);
		show(p, false);
		return NULL;
	case 'n':
		return xjson(json_pack("{s:s}", "decision", "denied"));
	case 'l':
		p->left = true;
		return NULL;
	case 'q':
	case 3: /* ^C */
	case 4: /* ^D */
	case TTY_ENDED:
		return xjson(json_pack("{s:s}", "decision", "abort"));
	}
	return NULL;
}

/* Nothing is answered by leaving. */
static json_t *take_key_at_inbox(struct prompt *p, int key)
{
	if (key != 3 && key != 4 && key != TTY_ENDED)
		return take_key(p, key);
	p->left = true;
	return NULL;
}

static void prepare(struct prompt *p)
{
	const struct question *q = p->q;
	struct error none = {0};

	if (q->judgement.want == WANT_PATCH && p->in_session)
		p->directory = common_directory(json_object_get(p->request, "files"));
	else if (q->judgement.want != WANT_PATCH)
		p->granting =
		        grant_get(json_object_get(p->request, "grant"), &p->grant, &none) == 0;
	p->sensitive = json_object_get(p->request, "sensitive");
	p->inside = p->granting || !question_outside(q);
	p->in_session &= !q->changes;
	p->outside = !q->host && !q->changes && (p->granting || question_outside(q));
	p->colour = tty_has_colours();
	p->keep = q->host || q->changes
	                  ? KEEP_NOTHING
	                  : keep_offered(q, p->granting ? &p->grant : NULL, p->sensitive);
}

static json_t *ask(struct prompt *p, int *last)
{
	json_t *answer = NULL;
	int key;

	prepare(p);
	show(p, false);
	while (!answer && !p->left) {
		show_keys(p);
		key = tty_key_shown(p->tty);
		*last = key;
		if (!is_offered(p, key))
			tty_no_such_key(p->tty, key);
		else
			answer = p->at_inbox ? take_key_at_inbox(p, key) : take_key(p, key);
	}
	grant_free(&p->grant);
	free(p->directory);
	return answer;
}

json_t *prompt_ask(const struct question *q, const json_t *request, bool in_session, int limit_ms)
{
	struct tty tty;
	struct prompt p = {.tty = &tty,
	                   .q = q,
	                   .request = request,
	                   .in_session = in_session,
	                   .grant = GRANT_NOTHING};
	json_t *answer;
	struct error err = {0};
	int last;

	if (tty_open(&tty, limit_ms, &err) < 0)
		return strcmp(err.code, "locked") == 0 ? answer_denied("denied", err.message)
		                                       : NULL;
	answer = ask(&p, &last);
	tty_close(&tty);
	return answer;
}

json_t *prompt_at_inbox(struct tty *tty, const struct question *q, const json_t *request, int *last)
{
	struct prompt p = {.tty = tty,
	                   .q = q,
	                   .request = request,
	                   .in_session = true,
	                   .grant = GRANT_NOTHING,
	                   .at_inbox = true};

	return ask(&p, last);
}
