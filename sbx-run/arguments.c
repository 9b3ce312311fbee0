#include "arguments.h"

#include "base/memory.h"
#include "document/options.h"
#include "document/osstring.h"
#include "process/own_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const stage_programs[STAGE_COUNT] = {
        [STAGE_POLICY] = "sbx-policy",
        [STAGE_APPROVE] = "sbx-approve",
        [STAGE_SELECT] = "sbx-select",
        [STAGE_WRAP] = "sbx-wrap",
};

enum own {
	OWN_EXEC = OPTION_OWN,
	OWN_JSON,
	OWN_DRY_RUN,
	OWN_EXPLAIN,
	OWN_KEEP_FD,
	OWN_APPROVER,
	OWN_AUDIT,
	OWN_REPORT,
	OWN_REPORT_FD,
	OWN_LEARN,
	OWN_LEARN_FILE,
	OWN_STAGE,
	OWN_APPLY_PATCH,
	OWN_VERBOSE,
};

static const struct option own_options[] = {
        OPTIONS_HEADING("What else it does:"),
        {OWN_EXEC, "exec", 0, NULL, "run the wrapped documents that come on stdin"},
        {OWN_JSON, "json", 0, NULL, "capture the output, print the document with the result"},
        {OWN_DRY_RUN, "dry-run", 0, NULL, "print the wrapped document, run nothing"},
        {OWN_EXPLAIN, "explain", 0, NULL, "say what would be allowed and how, run nothing"},
        {OWN_KEEP_FD, "keep-fd", 0, "N", "leave fd N open for the command; may be repeated"},
        {OWN_APPROVER, "approver", 0, "CMD", "ask CMD for approvals; see sbx-approve"},
        {OWN_AUDIT, "audit", 0, "FILE", "append a record of the run to FILE"},
        {OWN_REPORT, "report", 0, "FORM",
         "what was denied: human, json or off; one line by default"},
        {OWN_REPORT_FD, "report-fd", 0, "N", "report to fd N instead of stderr"},
        {OWN_LEARN, "learn", 0, NULL, "print the permission set that would have allowed it"},
        {OWN_LEARN_FILE, "learn-file", 0, "FILE", "print it to FILE instead of stderr"},
        {OWN_STAGE, "stage", 0, "NAME=PATH",
         "use PATH as the stage policy, approve, select or wrap"},
        {OWN_APPLY_PATCH, "apply-patch", 0, NULL,
         "apply the patch that is the one operand, or comes on stdin"},
        {OWN_VERBOSE, "verbose", 'v', NULL, "name the stage that says something"},
        {0},
};

static const struct program run_program = {
        .name = "sbx-run",
        .synopsis = "[options] [--] COMMAND [ARG...]",
        .purpose = "Run a command under a policy: resolve it, get it approved, choose a sandbox,\n"
                   "wrap the command and supervise it.",
        .tables = {policy_options, own_options},
        .notes = "Without options a command in a directory that nobody decided about can read\n"
                 "everything and write nothing, and is asked about; at a terminal you are asked\n"
                 "once whether to trust the project, as by sbx-policy --trust, which makes it\n"
                 "writable for commands that run there.\n"
                 "\n"
                 "Status: the command's own; 124 timed out, 125 sbx-run failed, 126 not approved\n"
                 "or not executable, 127 not found, 128+N died by signal N.\n"
                 "\n"
                 "  sbx-run --auto -- make test\n"
                 "  sbx-run --auto --network on --report json -- npm ci\n"
                 "\n"
                 "The tour is in sbx(7), all of this in sbx-run(1).",
};

static void add_word(struct arguments *a, char *word)
{
	a->policy = xrealloc_array(a->policy, a->policy_count + 2, sizeof(*a->policy));
	a->policy[a->policy_count++] = word;
	a->policy[a->policy_count] = NULL;
}

/*
 * The option in its long form and its value are two words, so that a value
 * that begins with "-" or holds "=" cannot be read as anything else.
 */
static void pass_on(struct arguments *a, const struct option *option, const char *value)
{
	add_word(a, xasprintf("--%s", option->name));
	if (value)
		add_word(a, xstrdup(value));
}

void arguments_pass(struct arguments *a, const char *option, const char *value)
{
	add_word(a, xstrdup(option));
	add_word(a, xstrdup(value));
}

/* The number of an fd that is open now, or -1. */
static int fd_number(const char *option, const char *value, int least, struct error *err)
{
	char *end;
	long fd;

	errno = 0;
	fd = strtol(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end || errno || fd < least || fd > INT_MAX)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--%s: \"%s\": expected the number of an fd, %d or above", option,
		                 value, least);
	if (fcntl((int)fd, F_GETFD) < 0)
		return error_set(err, EXIT_USAGE, "usage", "--%s: %ld: not an open fd", option, fd);
	return (int)fd;
}

static int keep_fd_number(struct arguments *a, const char *value, struct error *err)
{
	int fd = fd_number("keep-fd", value, 3, err);

	if (fd < 0)
		return -1;
	list_add(a->keep, a->keep_count, fd);
	return 0;
}

static int report_form(struct arguments *a, const char *value, struct error *err)
{
	static const char *const forms[] = {
	        [REPORT_OFF] = "off", [REPORT_HUMAN] = "human", [REPORT_JSON] = "json"};

	for (int i = 0; i < (int)(sizeof(forms) / sizeof(forms[0])); i++) {
		if (strcmp(forms[i], value) != 0)
			continue;
		a->report = (enum report_form)i;
		a->report_given = true;
		return 0;
	}
	return error_set(err, EXIT_USAGE, "usage", "--report \"%s\": expected human, json or off",
	                 value);
}

static int report_fd(struct arguments *a, const char *value, struct error *err)
{
	int fd = fd_number("report-fd", value, 1, err);
	int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);

	if (fd >= 0 && (flags < 0 || (flags & O_ACCMODE) == O_RDONLY))
		return error_set(err, EXIT_USAGE, "usage", "--report-fd: %d: not open for writing",
		                 fd);
	a->report_fd = fd;
	return fd < 0 ? -1 : 0;
}

static int replace_stage(struct arguments *a, const char *value, struct error *err)
{
	const char *equals = strchr(value, '=');

	for (size_t i = 0; equals && i < STAGE_COUNT; i++) {
		const char *name = stage_programs[i] + strlen("sbx-");
		size_t len = strlen(name);

		if ((size_t)(equals - value) != len || strncmp(value, name, len) != 0)
			continue;
		/* A relative path would be the working directory's word. */
		if (equals[1] != '/')
			return error_set(err, EXIT_USAGE, "usage",
			                 "--stage: \"%s\": the path must be absolute", value);
		a->replaced[i] = equals + 1;
		return 0;
	}
	return error_set(err, EXIT_USAGE, "usage",
	                 "--stage: \"%s\": expected policy, approve, select or wrap, then =/PATH",
	                 value);
}

static int take_own(struct arguments *a, enum own which, const char *value, struct error *err)
{
	switch (which) {
	case OWN_EXEC:
		a->exec = true;
		return 0;
	case OWN_JSON:
		a->json = true;
		return 0;
	case OWN_DRY_RUN:
		a->dry_run = true;
		return 0;
	case OWN_EXPLAIN:
		a->explain = true;
		return 0;
	case OWN_KEEP_FD:
		return keep_fd_number(a, value, err);
	case OWN_APPROVER:
		a->approver = value;
		return 0;
	case OWN_AUDIT:
		a->audit_file = value;
		return 0;
	case OWN_REPORT:
		return report_form(a, value, err);
	case OWN_REPORT_FD:
		return report_fd(a, value, err);
	case OWN_LEARN:
		a->learn = true;
		return 0;
	case OWN_LEARN_FILE:
		a->learn = true;
		a->learn_file = value;
		return 0;
	case OWN_STAGE:
		return replace_stage(a, value, err);
	case OWN_APPLY_PATCH:
		a->apply_patch = true;
		return 0;
	case OWN_VERBOSE:
		a->verbose = true;
		return 0;
	}
	return -1;
}

static int check_together(const struct arguments *a, struct error *err)
{
	bool stages = false;

	for (size_t i = 0; i < STAGE_COUNT; i++)
		stages |= a->replaced[i] != NULL;
	if (a->exec && (a->command[0] || a->policy_count || stages))
		return error_set(
		        err, EXIT_USAGE, "usage",
		        "--exec takes its commands and policy from the documents on stdin, "
		        "not from arguments");
	if (a->exec + a->dry_run + a->explain > 1 || (a->json && (a->dry_run || a->explain)))
		return error_set(err, EXIT_USAGE, "usage",
		                 "only one of --exec, --dry-run and --explain, and --json only "
		                 "with a run");
	if (a->learn && (a->exec || a->dry_run || a->explain))
		return error_set(err, EXIT_USAGE, "usage", "--learn needs a command that runs");
	if (a->apply_patch && (a->exec || a->explain || a->learn))
		return error_set(
		        err, EXIT_USAGE, "usage",
		        "--apply-patch cannot be combined with --exec, --explain or --learn");
	if (a->apply_patch)
		return a->command[0] && a->command[1]
		               ? error_set(err, EXIT_USAGE, "usage",
		                           "--apply-patch: expected one patch")
		               : 0;
	if (!a->exec && !a->explain && !a->command[0])
		return error_set(err, EXIT_USAGE, "usage", "no command (try --help)");
	return 0;
}

/* A person reads a terminal; a program that names an fd reads events. */
static int settle_report(struct arguments *a, struct error *err)
{
	bool named = a->report_fd >= 0;

	if (named && a->report_given && a->report == REPORT_OFF)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--report off and --report-fd contradict each other");
	for (size_t i = 0; i < a->keep_count; i++)
		if (a->keep[i] == a->report_fd)
			return error_set(err, EXIT_USAGE, "usage",
			                 "--report-fd and --keep-fd: %d: the command could write "
			                 "its own report",
			                 a->report_fd);
	if (!a->report_given)
		a->report = named                   ? REPORT_JSON
		            : isatty(STDERR_FILENO) ? REPORT_HUMAN
		            : a->json || a->learn   ? REPORT_OFF
		                                    : REPORT_BRIEF;
	if (!named)
		a->report_fd = STDERR_FILENO;
	return 0;
}

/*
 * Whether a person who typed this can be asked about the project.  One who has
 * put a program in between, or another stage, answers nothing here.
 */
static bool person_is_there(const struct arguments *a)
{
	for (size_t i = 0; i < STAGE_COUNT; i++)
		if (a->replaced[i])
			return false;
	return !a->json && !a->dry_run && !a->explain && !a->exec && !a->apply_patch &&
	       !a->approver && a->report != REPORT_JSON && !getenv("SBX_SESSION") &&
	       own_terminal_is_ours(isatty(STDERR_FILENO) ? STDERR_FILENO : -1);
}

int arguments_parse(int argc, char **argv, struct arguments *a, struct error *err)
{
	struct options options;
	const struct option *option;
	const char *value;

	memset(a, 0, sizeof(*a));
	a->audit = a->learned = a->report_fd = -1;
	options_begin(&options, &run_program, argc, argv);
	while ((option = options_next(&options, &value, err)) != NULL) {
		if (option->id < OPTION_OWN)
			pass_on(a, option, value);
		else if (take_own(a, (enum own)option->id, value, err) < 0)
			return -1;
	}
	if (err->exit)
		return -1;
	a->command = argv + options.next;
	if (settle_report(a, err) < 0)
		return -1;
	a->ask_trust = person_is_there(a);
	return check_together(a, err);
}

void arguments_free(struct arguments *a)
{
	os_vector_free(a->policy);
	free(a->input);
	free(a->keep);
}
