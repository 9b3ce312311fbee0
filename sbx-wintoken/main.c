/*
 * sbx-wintoken: the wrap of Windows, policy + command -> plan, and its launcher.
 */
#include "base/cleanup.h"
#include "command.h"
#include "document/approval.h"
#include "document/document.h"
#include "document/options.h"
#include "document/stage.h"
#include "elevated.h"
#include "launch.h"
#include "plan.h"
#include "plan_words.h"
#include "policy/words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum own {
	OWN_PLAN,
	OWN_ELEVATED,
	OWN_PLAN_JSON,
	OWN_PLAN_FILE,
	OWN_UNENFORCED,
	OWN_AUDIT,
};

static const struct option own_options[] = {
        {OWN_PLAN, "plan", 0, NULL, "print the plan alone, one line, instead of the document"},
        {OWN_ELEVATED, "elevated-plan", 0, NULL,
         "print what the elevated level would be: users, firewall rules, what can be read"},
        {OWN_PLAN_JSON, "plan-json", 0, "PLAN", "before a command: the plan to carry out"},
        {OWN_PLAN_FILE, "plan-file", 0, "FILE", "before a command: the file that has the plan"},
        {OWN_UNENFORCED, "unenforced", 0, NULL,
         "before a command: run it although the system holds nothing of the plan (wine)"},
        {OWN_AUDIT, "audit", 0, NULL,
         "list directories that everybody may write, in DIR or where they are "
         "usual (Windows)"},
        {0},
};

static const struct program program = {
        .name = "sbx-wintoken",
        .synopsis = "[--plan] <documents >documents\n"
                    "       sbx-wintoken.exe --plan-file FILE -- COMMAND [ARG...]\n"
                    "       sbx-wintoken.exe --audit [DIR...]",
        .purpose = "Adds \"exec\" to each document: the command under a restricted token of "
                   "Windows.",
        .tables = {own_options},
        .notes = "Status: 0 documents written, 2 wrong usage, 3 bad input, 4 that sandbox is not\n"
                 "available, 5 a system call failed.\n"
                 "\n"
                 "  sbx-policy --auto -- make | sbx-approve | sbx-select --platform windows |\n"
                 "      sbx-wintoken --plan\n"
                 "  sbx-wintoken.exe --audit\n"
                 "\n"
                 "More in sbx-wintoken(1).",
};

struct chosen {
	bool plan, elevated, audit;
	struct launch launch;
};

static json_t *make_plan(json_t *doc, struct error *err)
{
	if (approval_check_wrap(doc, sandbox_names[SANDBOX_WINDOWS], err) < 0)
		return NULL;
	return plan_make(doc, err);
}

static int wrap_document(json_t *doc, void *context, struct error *err)
{
	cleanup_json json_t *plan = make_plan(doc, err);
	int status = -1;

	(void)context;
	if (plan && strcmp(plan_level(json_object_get(doc, "policy")), PLAN_LEVEL_OFF) == 0)
		error_set(err, EXIT_UNAVAILABLE, "no-sandbox",
		          "the Windows sandbox is experimental and off: "
		          "-c features.enable_experimental_windows_sandbox=true");
	else if (plan)
		status = command_wrap(doc, plan, err);
	/* The plain command, which came as a plan, must not outlive a refusal. */
	if (status < 0)
		json_object_del(doc, "exec");
	return status;
}

/* The plan alone, without the document. */
static int print_plan(json_t *doc, void *context, struct error *err)
{
	cleanup_json json_t *plan = make_plan(doc, err);

	(void)context;
	return plan ? document_write(plan, stdout, err) : -1;
}

/* Of a document that asks for that level; what is printed is carried out by nobody. */
static int print_elevated(json_t *doc, void *context, struct error *err)
{
	const char *level = plan_level(json_object_get(doc, "policy"));
	cleanup_json json_t *plan = NULL;

	(void)context;
	if (approval_check_wrap(doc, sandbox_names[SANDBOX_WINDOWS], err) < 0)
		return -1;
	if (strcmp(level, PLAN_LEVEL_ELEVATED) != 0)
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "--elevated-plan: the policy asks for the level \"%s\"", level);
	plan = elevated_plan(doc, err);
	return plan ? document_write(plan, stdout, err) : -1;
}

static void take_option(struct chosen *chosen, enum own which, const char *value)
{
	switch (which) {
	case OWN_PLAN:
		chosen->plan = true;
		break;
	case OWN_ELEVATED:
		chosen->elevated = true;
		break;
	case OWN_PLAN_JSON:
		chosen->launch.plan_json = value;
		break;
	case OWN_PLAN_FILE:
		chosen->launch.plan_file = value;
		break;
	case OWN_UNENFORCED:
		chosen->launch.unenforced = true;
		break;
	case OWN_AUDIT:
		chosen->audit = true;
		break;
	}
}

/* Which of its three things is the program asked to do? */
static int check_usage(const struct chosen *chosen, bool operands, struct error *err)
{
	const struct launch *launch = &chosen->launch;
	bool launching = launch->plan_json || launch->plan_file || launch->unenforced;

	if (chosen->plan + chosen->elevated + chosen->audit + launching > 1)
		return error_set(err, EXIT_USAGE, "usage",
		                 "only one of --plan, --elevated-plan, --audit and a plan to carry "
		                 "out");
	if (launch->plan_json && launch->plan_file)
		return error_set(err, EXIT_USAGE, "usage",
		                 "only one of --plan-json and --plan-file");
	if (operands && (chosen->plan || chosen->elevated))
		return error_set(err, EXIT_USAGE, "usage", "--plan takes no command (try --help)");
	if (launching && !operands)
		return error_set(err, EXIT_USAGE, "usage", "no command (try --help)");
	return 0;
}

int main(int argc, char **argv)
{
	struct chosen chosen = {0};
	const struct option *option;
	struct options options;
	struct error err = {0};
	const char *value;
	bool operands;

	stage_begin(program.name);
	launch_arguments(&argc, &argv);
	options_begin(&options, &program, argc, argv);
	while ((option = options_next(&options, &value, &err)) != NULL)
		take_option(&chosen, (enum own)option->id, value);
	operands = options.next < options.argc;
	if (err.exit == 0)
		check_usage(&chosen, operands, &err);
	if (err.exit)
		return stage_fail(&err);
	chosen.launch.argv = argv + options.next;
	if (chosen.audit)
		return audit(chosen.launch.argv);
	if (operands)
		return launch(&chosen.launch);
	if (chosen.elevated)
		return stage_print(print_elevated, NULL);
	return chosen.plan ? stage_print(print_plan, NULL) : stage_stream(wrap_document, NULL);
}
