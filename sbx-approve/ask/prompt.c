#include "ask/prompt.h"

#include "ask/answer.h"
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
	struct tty tty;
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
	fold_ready(&p->tty.fold, "  ", text);
}

/* In a colour of its own: whoever chooses it has seen it. */
static void key_outside(const struct prompt *p, const char *text)
{
	fputs(p->colour ? "\033[1;31m" : "", p->tty.fold.out);
	key_row(p, text);
	fputs(p->colour ? "\033[0m" : "", p->tty.fold.out);
}

/* Short ones side by side, as far as they fit; the cursor stays behind the last. */
static void show_last_keys(const struct prompt *p)
{
	const char *const keys[] = {p->keep == KEEP_RULE    ? "[r] save a rule"
	                            : p->keep == KEEP_GRANT ? "[r] give it to the project"
	                                                    : NULL,
	                            p->cut ? "[v] all of it" : NULL, "[?] help", "[n] no",
	                            p->q->host ? "[q] end the command" : "[q] abort"};
	unsigned at = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		unsigned len = keys[i] ? (unsigned)strlen(keys[i]) + 2 : 0;

		if (len && at && at + len + 1 >= p->tty.fold.columns) {
			fputs("\r\n", p->tty.fold.out);
			at = 0;
		}
		if (len)
			fprintf(p->tty.fold.out, "  %s", keys[i]);
		at += len;
	}
	fputc(' ', p->tty.fold.out);
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
	const struct fold *fold = &p->tty.fold;

	if (p->q->host) {
		show_host_keys(p);
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
		fold_field(&p->tty.fold, rows->key, rows->what, 0, "");
}

static void explain_host_keys(const struct prompt *p)
{
	static const struct key_help rows[] = {
	        {"  y        ", "lets the command reach that host at that port until it ends"},
	        {"  a        ", "the same, and other commands of the session without a question"},
	        {"  p        ", "saves a rule in your own configuration, for this project"},
	        {"  n        ", "refuses the connection; the command goes on"},
	        {"  q        ", "refuses it and ends the command; so does ^C"},
	        {"           ", "without an answer it is refused after a minute; the command "
	                        "stands still until then"},
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
	        {true, "  n        ", "does not run it; the caller goes on"},
	        {true, "  q        ", "does not run it, and tells the caller to stop"},
	};

	if (p->q->host) {
		explain_host_keys(p);
		return;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].offered)
			fold_field(&p->tty.fold, rows[i].key, rows[i].what, 0, "");
}

static const char *title(const struct prompt *p)
{
	return p->q->host                  ? "may this connect?"
	       : p->granting               ? "may this run again?"
	       : question_outside(p->q)    ? "may this run OUTSIDE the sandbox?"
	       : question_unconfined(p->q) ? "may this run with full access, WITHOUT a sandbox?"
	                                   : "may this run?";
}

/* The whole question, at the width that the terminal has now. */
static void show(struct prompt *p, bool all)
{
	cleanup_free char *head = xasprintf("%s: ", speaker());

	p->tty.fold.columns = fold_columns(p->tty.fd);
	fprintf(p->tty.fold.out, "\r\n%s", p->colour ? "\033[1m" : "");
	fold_ready(&p->tty.fold, head, title(p));
	fputs(p->colour ? "\033[0m" : "", p->tty.fold.out);
	p->cut = screen_question(&p->tty.fold, p->q, p->request, all);
	if (p->outside)
		screen_hidden(&p->tty.fold, p->q->hidden);
}

/*
 * What the policy hides is not hidden outside; that is agreed to by a key of
 * its own, not by the habit of the first.
 */
static bool agrees_to_hidden(struct prompt *p)
{
	if (json_array_size(p->q->hidden) == 0)
		return true;
	screen_hidden(&p->tty.fold, p->q->hidden);
	fold_ready(&p->tty.fold, "  ", "OUTSIDE, what the policy hides can be read and written.");
	fputs("  [h] open all of it  [n] back ", p->tty.fold.out);
	return tty_key_shown(&p->tty) == 'h';
}

static json_t *with_grant(const struct grant *grant, const char *word)
{
	return xjson(json_pack("{s:s,s:o}", "decision", word, "grant", grant_json(grant)));
}

/* In the sandbox that was shown, or where the policy has none. */
static json_t *inside(const struct prompt *p, const char *word)
{
	if (!p->inside)
		return NULL;
	return p->granting ? with_grant(&p->grant, word)
	                   : xjson(json_pack("{s:s}", "decision", word));
}

static json_t *outside(struct prompt *p, const char *word)
{
	struct grant all = {.network = -1, .outside = true};

	if (!p->outside || !agrees_to_hidden(p))
		return NULL;
	if (json_array_size(p->q->hidden) > 0)
		all.none = p->q->hidden;
	return with_grant(&all, word);
}

/* NULL: not one of the keys, or back from a question of its own. */
static json_t *take_key(struct prompt *p, int key)
{
	switch (key) {
	case 'y':
		return inside(p, "approved");
	case 'a':
		return p->in_session ? inside(p, "approved_for_session") : NULL;
	case 'p':
		return p->q->host ? keep_ask(&p->tty, p->q, KEEP_RULE, NULL) : NULL;
	case 'o':
		return outside(p, "approved");
	case 'O':
		return p->in_session ? outside(p, "approved_for_session") : NULL;
	case 'w':
		return p->directory
		               ? xjson(json_pack("{s:s,s:s}", "decision", "approved_for_session",
		                                 "grant_root", p->directory))
		               : NULL;
	case '?':
		explain_keys(p);
		return NULL;
	case 'r':
		return keep_ask(&p->tty, p->q, p->keep, &p->grant);
	case 'v':
		if (p->cut)
			show(p, true);
		return NULL;
	case TTY_RESIZED:
		show(p, false);
		return NULL;
	case 'n':
		return xjson(json_pack("{s:s}", "decision", "denied"));
	case 'q':
	case 3: /* ^C */
	case 4: /* ^D */
	case TTY_ENDED:
		return xjson(json_pack("{s:s}", "decision", "abort"));
	}
	return NULL;
}

json_t *prompt_ask(const struct question *q, const json_t *request, bool in_session, int limit_ms)
{
	struct prompt p = {
	        .q = q, .request = request, .in_session = in_session, .grant = GRANT_NOTHING};
	json_t *answer = NULL;
	struct error err = {0};

	if (tty_open(&p.tty, limit_ms, &err) < 0)
		return strcmp(err.code, "locked") == 0 ? answer_denied("denied", err.message)
		                                       : NULL;
	if (q->judgement.want == WANT_PATCH && in_session)
		p.directory = common_directory(json_object_get(request, "files"));
	else if (q->judgement.want != WANT_PATCH)
		p.granting = grant_get(json_object_get(request, "grant"), &p.grant, &err) == 0;
	p.sensitive = json_object_get(request, "sensitive");
	p.inside = p.granting || !question_outside(q);
	p.outside = !q->host && (p.granting || question_outside(q));
	p.colour = tty_has_colours();
	p.keep =
	        q->host ? KEEP_NOTHING : keep_offered(q, p.granting ? &p.grant : NULL, p.sensitive);
	show(&p, false);
	while (!answer) {
		show_keys(&p);
		answer = take_key(&p, tty_key_shown(&p.tty));
	}
	tty_close(&p.tty);
	grant_free(&p.grant);
	free(p.directory);
	return answer;
}
