#include "ask/prompt.h"

#include "ask/answer.h"
#include "terminal/question_terminal.h"
#include "ask/screen.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "fs/path.h"
#include "rules/learned_rules.h"

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
	bool rule;               /* r */
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

/* One key, shown. */
static int key_of(struct prompt *p)
{
	int key = tty_key(&p->tty);

	fprintf(p->tty.fold.out, "%c\r\n", key >= '?' && key <= 'z' ? key : ' ');
	return key;
}

static void show_rule(struct prompt *p, const char *rule, const char *file)
{
	const struct fold *fold = &p->tty.fold;

	p->tty.fold.columns = fold_columns(p->tty.fd);
	fold_field(fold, "  rule     ", rule, 0, "");
	fold_field(fold, "  file     ", file, 0, "");
	fprintf(fold->out,
	        "  save?    [y] yes, as shown%s\r\n"
	        "           [e] everywhere, not only in the project  [d] for one day  [n] back ",
	        p->q->host ? "" : "  [m] also with more words after it");
}

/* The rule is shown exactly as it will be saved, and changed until it is right. */
static json_t *ask_rule(struct prompt *p)
{
	struct reach reach = {0};
	struct error err = {0};
	cleanup_free char *file = learned_file(&err);

	if (!file) {
		fold_field(&p->tty.fold, "  error    ", err.message, 0, "");
		return NULL;
	}
	for (;;) {
		cleanup_free char *rule = learned_rule(p->q, &reach);

		if (!rule)
			return NULL;
		show_rule(p, rule, file);
		switch (key_of(p)) {
		case 'y':
			return xjson(json_pack("{s:s,s:s}", "decision", "approved", "rule", rule));
		case 'm':
			reach.more_words = !reach.more_words;
			break;
		case 'e':
			reach.everywhere = !reach.everywhere;
			break;
		case 'd':
			reach.one_day = !reach.one_day;
			break;
		case 'n':
		case 3:
		case TTY_ENDED:
			return NULL;
		}
	}
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

/* One host, at one port, and nothing else to choose. */
static void show_host_keys(const struct prompt *p)
{
	key_row(p, "[y] yes, as long as this command runs");
	if (p->in_session)
		key_row(p, "[a] for the session");
	key_row(p, "[p] for the project: shown before it is saved");
	fprintf(p->tty.fold.out, " %s [?] help  [n] no  [q] end the command ",
	        p->cut ? " [v] all of it " : "");
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
		key_row(p, "[a] the same, for the session");
	if (p->directory) {
		cleanup_free char *place = fold_shown(p->directory);
		cleanup_free char *shown = xasprintf("%s, for the session", place);

		fold_ready(fold, "  [w] all files below ", shown);
	}
	if (p->outside)
		key_outside(p, "[o] OUTSIDE the sandbox, once");
	if (p->outside && p->in_session)
		key_outside(p, "[O] OUTSIDE the sandbox, for the session");
	fprintf(fold->out, " %s%s [?] help  [n] no  [q] abort ", p->rule ? " [r] save a rule " : "",
	        p->cut ? " [v] all of it " : "");
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
	static const struct key_help rows[] = {
	        {"  y        ", "runs it once, in the sandbox and with the network shown above, "
	                        "and with what is listed below the key, nothing else"},
	        {"  a        ", "the same, and the same command again without a question until "
	                        "the session ends"},
	        {"  o, O     ", "runs it without the sandbox, with everything that you can do"},
	        {"  r        ", "saves a rule, so that it is not asked again; shown before it is "
	                        "written"},
	        {"  v        ", "shows what was left out above"},
	        {"  n        ", "does not run it; the caller goes on"},
	        {"  q        ", "does not run it, and tells the caller to stop"},
	        {NULL, NULL},
	};

	if (p->q->host)
		explain_host_keys(p);
	else
		explain(p, rows);
}

/* The whole question, at the width that the terminal has now. */
static void show(struct prompt *p, bool all)
{
	p->tty.fold.columns = fold_columns(p->tty.fd);
	fprintf(p->tty.fold.out, "\r\n%s%s: may this %s%s?%s\r\n", p->colour ? "\033[1m" : "",
	        speaker(), p->q->host ? "connect" : "run",
	        p->q->host                  ? ""
	        : p->granting               ? " again"
	        : question_outside(p->q)    ? " OUTSIDE the sandbox"
	        : question_unconfined(p->q) ? " with full access, WITHOUT a sandbox"
	                                    : "",
	        p->colour ? "\033[0m" : "");
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
	fprintf(p->tty.fold.out, "  OUTSIDE, what the policy hides can be read and written.\r\n"
	                         "  [h] open all of it  [n] back ");
	return key_of(p) == 'h';
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
		return p->q->host ? ask_rule(p) : NULL;
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
		return p->rule ? ask_rule(p) : NULL;
	case 'v':
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
	cleanup_free char *rule = learned_rule(q, &(struct reach){0});
	struct prompt p = {.q = q,
	                   .request = request,
	                   .in_session = in_session,
	                   .rule = rule && !q->host,
	                   .grant = GRANT_NOTHING};
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
	show(&p, false);
	while (!answer) {
		show_keys(&p);
		answer = take_key(&p, key_of(&p));
	}
	tty_close(&p.tty);
	grant_free(&p.grant);
	free(p.directory);
	return answer;
}
