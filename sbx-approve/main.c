/*
 * sbx-approve: may this command run?
 */
#include "typed/amount.h"
#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"
#include "decide.h"
#include "document/json_pool.h"
#include "document/options.h"
#include "document/stage.h"
#include "inbox/inbox.h"
#include "rules/check_rules.h"
#include "rules/learned_rules.h"
#include "rules/project_rules.h"
#include "session/client.h"
#include "session/find_session.h"
#include "session/serve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum task {
	TASK_STREAM,
	TASK_CHECK,
	TASK_SERVE,
	TASK_INBOX,
	TASK_LIST,
	TASK_REVOKE,
	TASK_CLEAR,
	TASK_RULES,
	TASK_PROJECT,
	TASK_UNLEARN
};

/* A day. */
#define APPROVER_MAX_MS 86400000

enum own {
	OWN_APPROVER,
	OWN_CALLER,
	OWN_TIMEOUT,
	OWN_RULES,
	OWN_SOURCE,
	OWN_CHECK,
	OWN_PROJECT,
	OWN_LIST_RULES,
	OWN_REVOKE_RULE,
	OWN_SERVE,
	OWN_PARENT,
	OWN_POLICY,
	OWN_SANDBOX,
	OWN_INBOX,
	OWN_LIST,
	OWN_REVOKE,
	OWN_CLEAR,
};

static const struct option own_options[] = {
        OPTIONS_HEADING("Who is asked, and how:"),
        {OWN_APPROVER, "approver", 0, "WHO",
         "ask a program: a request on its stdin, an answer on its stdout; or who listens at "
         "unix:PATH or has the other end of fd:N: many questions, a line each; by default the "
         "terminal"},
        {OWN_CALLER, "caller", 0, "ID", "who asks, for an approver that many ask: in each request"},
        {OWN_TIMEOUT, "approver-timeout", 0, "DURATION",
         "how long the answer may take; 2m by default"},
        {OWN_SOURCE, "source", 0, "NAME", "who asks: interactive, exec or subagent:NAME"},
        OPTIONS_HEADING("Rules:"),
        {OWN_RULES, "rules", 0, "FILE", "read rules from FILE as well; may be repeated"},
        {OWN_CHECK, "check-rules", 0, NULL,
         "[FILE...] -- COMMAND: print what the rules say about it"},
        {OWN_PROJECT, "project-rules", 0, "DIR",
         "print the digest of a project's rules, and what they allow"},
        {OWN_LIST_RULES, "list-rules", 0, NULL, "print the rules learned from answers"},
        {OWN_REVOKE_RULE, "revoke-rule", 0, "RULE",
         "forget the learned rule with exactly this text"},
        OPTIONS_HEADING("A session ($SBX_SESSION):"),
        {OWN_SERVE, "serve", 0, NULL, "[-- COMMAND]: keep decisions for a session, in memory"},
        {OWN_PARENT, "parent", 0, "SESSION", "with --serve: bring questions to that session"},
        {OWN_POLICY, "ask-for-approval", 'a', "POLICY",
         "with --serve: judge by this policy as well"},
        {OWN_SANDBOX, "sandbox", 's', "MODE", "with --serve: allow no wider mode"},
        {OWN_INBOX, "inbox", 0, NULL,
         "show the open questions of the session in this terminal, and answer them"},
        {OWN_LIST, "list", 0, NULL, "print the decisions of the session"},
        {OWN_REVOKE, "revoke", 0, "KEY", "forget the decisions of the session under KEY"},
        {OWN_CLEAR, "clear", 0, NULL, "forget all decisions of the session"},
        OPTIONS_HEADING("How it talks:"),
        {0},
};

static const struct program program = {
        .name = "sbx-approve",
        .synopsis = "[options] <documents >documents\n"
                    "       sbx-approve --serve [options] [-- COMMAND [ARG...]]\n"
                    "       sbx-approve --inbox | --list | --revoke KEY | --clear\n"
                    "       sbx-approve --check-rules [FILE...] -- COMMAND [ARG...]",
        .purpose = "Decides for each document whether its command may run, and adds \"approval\".",
        .tables = {own_options},
        .notes = "Status: 0 all may run, 1 one may not, 2 wrong usage, 3 bad input, 5 a system\n"
                 "call failed.\n"
                 "\n"
                 "  sbx-approve --serve -- bash\n"
                 "  sbx-policy -- make test | sbx-approve --approver ~/bin/ask\n"
                 "\n"
                 "More in sbx-approve(1); rules in sbx-rules(5).",
};

struct chosen {
	enum task task;
	struct desk desk;
	struct serve serve;
	const char *value; /* of --project-rules, --revoke or --revoke-rule */
	const char **rules;
};

static int set_task(struct chosen *c, enum task task, const char *value, struct error *err)
{
	if (c->task != TASK_STREAM)
		return error_set(err, EXIT_USAGE, "usage",
		                 "only one of --check-rules, --project-rules, --serve, --inbox, "
		                 "--list, --revoke, --clear, --list-rules and --revoke-rule");
	c->task = task;
	c->value = value;
	return 0;
}

static int set_timeout(struct chosen *c, const char *value, struct error *err)
{
	int64_t ms;

	if (duration_parse(value, &ms) < 0 || ms < 1 || ms > APPROVER_MAX_MS)
		return error_set(
		        err, EXIT_USAGE, "usage",
		        "--approver-timeout \"%s\": expected " DURATION_FORM ", at most 1d", value);
	c->desk.limit_ms = (int)ms;
	return 0;
}

static int take(struct chosen *c, enum own which, const char *value, struct error *err)
{
	switch (which) {
	case OWN_APPROVER:
		return approver_place_read(value, &c->desk.approver.place, err);
	case OWN_CALLER:
		c->desk.caller = value;
		return 0;
	case OWN_TIMEOUT:
		return set_timeout(c, value, err);
	case OWN_RULES:
		c->rules = xrealloc_array(c->rules, c->desk.book.file_count + 1, sizeof(char *));
		c->rules[c->desk.book.file_count++] = value;
		c->desk.book.files = c->rules;
		return 0;
	case OWN_SOURCE:
		if (strcmp(value, "interactive") != 0 && strcmp(value, "exec") != 0 &&
		    (strncmp(value, "subagent:", 9) != 0 || !value[9]))
			return error_set(err, EXIT_USAGE, "usage",
			                 "--source: \"%s\": expected interactive, exec or "
			                 "subagent:NAME",
			                 value);
		c->desk.source = value;
		return 0;
	case OWN_CHECK:
		return set_task(c, TASK_CHECK, value, err);
	case OWN_PROJECT:
		return set_task(c, TASK_PROJECT, value, err);
	case OWN_LIST_RULES:
		return set_task(c, TASK_RULES, value, err);
	case OWN_REVOKE_RULE:
		return set_task(c, TASK_UNLEARN, value, err);
	case OWN_SERVE:
		return set_task(c, TASK_SERVE, value, err);
	case OWN_PARENT:
		c->serve.parent = value;
		return 0;
	case OWN_POLICY:
		if (!tree_knows_policy(value))
			return error_set(
			        err, EXIT_USAGE, "usage",
			        "--ask-for-approval: \"%s\": expected untrusted, on-change, "
			        "on-failure, on-request or never",
			        value);
		c->serve.policy = value;
		return 0;
	case OWN_SANDBOX:
		if (tree_mode_rank(value) < 0)
			return error_set(err, EXIT_USAGE, "usage",
			                 "--sandbox: \"%s\": expected read-only, workspace-write, "
			                 "danger-full-access or external-sandbox",
			                 value);
		c->serve.mode = value;
		return 0;
	case OWN_INBOX:
		return set_task(c, TASK_INBOX, value, err);
	case OWN_LIST:
		return set_task(c, TASK_LIST, value, err);
	case OWN_REVOKE:
		return set_task(c, TASK_REVOKE, value, err);
	case OWN_CLEAR:
		return set_task(c, TASK_CLEAR, value, err);
	}
	return -1;
}

static int parse(struct chosen *c, struct options *options, struct error *err)
{
	const struct option *option;
	const char *value;

	while ((option = options_next(options, &value, err)) != NULL)
		if (take(c, (enum own)option->id, value, err) < 0)
			return -1;
	if (err->exit)
		return -1;
	if (c->task != TASK_SERVE && (c->serve.parent || c->serve.policy || c->serve.mode))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--parent, --ask-for-approval and --sandbox need --serve");
	return c->task == TASK_SERVE || c->task == TASK_CHECK ? 0 : options_end(options, err);
}

/* FILE... -- COMMAND; the "--" was taken as the end of the options if it came first. */
static int check(const struct options *options, struct error *err)
{
	char **files = options->argv + options->next;
	char **command = files;
	size_t count = 0;

	if (options->next > 1 && strcmp(files[-1], "--") == 0)
		return check_rules(NULL, 0, command, err);
	for (; *command && strcmp(*command, "--") != 0; command++)
		count++;
	return check_rules(files, count, *command ? command + 1 : command, err);
}

/* --list, --revoke and --clear: one message, and its answer on stdout. */
static int talk(const struct chosen *c, struct error *err)
{
	cleanup_json json_t *message = xjson(json_object());
	cleanup_json json_t *answer = NULL;
	/* One object a line for programs; a person gets it folded. */
	struct fold fold = {
	        .out = stdout, .columns = fold_columns(STDOUT_FILENO), .end = "\n", .hang = 4};
	cleanup_close int fd = -1;
	const json_t *list;

	if (!c->desk.session)
		return error_set(err, EXIT_USAGE, "no-session",
		                 "SBX_SESSION is not set: there is no session");
	json_object_set_new(message, "op", json_string(c->task == TASK_LIST ? "list" : "revoke"));
	if (c->task == TASK_REVOKE)
		json_object_set_new(message, "key", json_string(c->value));
	fd = client_connect(c->desk.session, err);
	answer = fd < 0 ? NULL : client_call(fd, message, err);
	if (!answer)
		return -1;
	list = json_object_get(answer, "decisions");
	for (size_t i = 0; i < json_array_size(list); i++) {
		cleanup_free char *line =
		        xjson(json_text_dump(json_array_get(list, i), JSON_COMPACT));

		if (fold.columns > 0)
			fold_field(&fold, "", line, 0, "");
		else
			puts(line);
	}
	if (c->task == TASK_REVOKE && json_integer_value(json_object_get(answer, "revoked")) == 0)
		return error_set(err, EXIT_INPUT, "no-decision",
		                 "\"%s\": the session has no such decision", c->value);
	return fflush(stdout) == 0 ? 0 : error_system(err, "writing");
}

/* In a terminal of its own there is no SBX_SESSION. */
static int sit_at_inbox(const struct chosen *c, struct error *err)
{
	cleanup_free char *found = c->desk.session ? NULL : session_find(err);
	const char *session = found ? found : c->desk.session;

	return session ? inbox(session, err) : -1;
}

static int approve(json_t *doc, void *context, struct error *err)
{
	return decide(doc, context, err);
}

static int act(struct chosen *c, const struct options *options, struct error *err)
{
	switch (c->task) {
	case TASK_STREAM:
		return stage_add("approval", approve, &c->desk);
	case TASK_CHECK:
		return check(options, err);
	case TASK_SERVE:
		c->serve.approver = c->desk.approver.place;
		c->serve.limit_ms = c->desk.limit_ms;
		c->serve.source = c->desk.source;
		c->serve.command = options->argv + options->next;
		return serve(&c->serve, err);
	case TASK_INBOX:
		return sit_at_inbox(c, err);
	case TASK_PROJECT:
		return project_rules_print(c->value, stdout, err);
	case TASK_RULES:
		return learned_list(err);
	case TASK_UNLEARN:
		return learned_revoke(c->value, err);
	default:
		return talk(c, err);
	}
}

int main(int argc, char **argv)
{
	const char *session = getenv("SBX_SESSION");
	struct chosen chosen = {.desk = {.fd = -1, .limit_ms = 120000}};
	struct options options;
	struct error err = {0};
	int status;

	stage_begin(program.name);
	chosen.desk.session = session && *session ? session : NULL;
	options_begin(&options, &program, argc, argv);
	if (parse(&chosen, &options, &err) < 0)
		return stage_fail(&err);
	status = act(&chosen, &options, &err);
	desk_close(&chosen.desk);
	free(chosen.rules);
	return status < 0 ? stage_fail(&err) : status;
}
