#include "arguments.h"

#include "base/memory.h"
#include "base/strings.h"
#include "document/options.h"
#include "document/osstring.h"
#include "process/own_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
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
	OWN_APPROVER_TIMEOUT,
	OWN_CALLER,
	OWN_AUDIT,
	OWN_REPORT,
	OWN_REPORT_FD,
	OWN_RESULT_FD,
	OWN_LEARN,
	OWN_LEARN_FILE,
	OWN_STAGE,
	OWN_APPLY_PATCH,
	OWN_WHILE_FD,
	OWN_COMMAND_FD,
	OWN_MCP,
	OWN_CHANGES,
	OWN_DIFF,
	OWN_APPLY,
	OWN_FORCE,
	OWN_DISCARD,
	OWN_VERBOSE,
};

static const struct option own_options[] = {
        OPTIONS_HEADING("What else it does:"),
        {OWN_EXEC, "exec", 0, NULL, "run the wrapped documents that come on stdin"},
        {OWN_JSON, "json", 0, NULL, "capture the output, print the document with the result"},
        {OWN_DRY_RUN, "dry-run", 0, NULL, "print the wrapped document, run nothing"},
        {OWN_EXPLAIN, "explain", 0, NULL, "say what would be allowed and how, run nothing"},
        {OWN_KEEP_FD, "keep-fd", 0, "N", "leave fd N open for the command; may be repeated"},
        {OWN_APPROVER, "approver", 0, "WHO",
         "ask a program, unix:PATH or fd:N for approvals; see sbx-approve"},
        {OWN_APPROVER_TIMEOUT, "approver-timeout", 0, "DURATION",
         "how long the answer may take; 2m by default"},
        {OWN_CALLER, "caller", 0, "ID", "who asks, in each request to an approver"},
        {OWN_AUDIT, "audit", 0, "FILE", "append a record of the run to FILE"},
        {OWN_REPORT, "report", 0, "FORM",
         "what was denied: human, json, sarif, junit or off; human at a terminal, else one line"},
        {OWN_REPORT_FD, "report-fd", 0, "N", "report to fd N instead of stderr"},
        {OWN_RESULT_FD, "result-fd", 0, "N",
         "print the document with the result to fd N; the output stays where it is"},
        {OWN_WHILE_FD, "while-fd", 0, "N", "end the command when the other end of fd N is closed"},
        {OWN_LEARN, "learn", 0, NULL, "print the permission set that would have allowed it"},
        {OWN_LEARN_FILE, "learn-file", 0, "FILE", "print it to FILE instead of stderr"},
        {OWN_STAGE, "stage", 0, "NAME=PATH",
         "use PATH as the stage policy, approve, select or wrap"},
        {OWN_APPLY_PATCH, "apply-patch", 0, NULL,
         "apply the patch that is the one operand, or comes on stdin"},
        {OWN_COMMAND_FD, "command-fd", 0, "N",
         "take the command from the document that comes on fd N"},
        {OWN_MCP, "mcp", 0, NULL, "serve a client of the Model Context Protocol on stdin"},
        OPTIONS_HEADING("What becomes of a preview:"),
        {OWN_CHANGES, "changes", 0, NULL, "list previews, or what the one called ID has changed"},
        {OWN_DIFF, "diff", 0, NULL, "show changes as a unified diff; also with --preview"},
        {OWN_APPLY, "apply", 0, "ID", "make its changes, or those at and below PATH..."},
        {OWN_FORCE, "force", 0, NULL, "also to what has changed on the host meanwhile"},
        {OWN_DISCARD, "discard", 0, "ID", "forget it"},
        OPTIONS_HEADING("How it talks:"),
        {OWN_VERBOSE, "verbose", 'v', NULL, "name the stage that says something"},
        {0},
};

static const struct program run_program = {
        .name = "sbx-run",
        .synopsis = "[options] [--] COMMAND [ARG...]\n"
                    "       sbx-run --changes [--diff] [ID [PATH...]]\n"
                    "       sbx-run --apply ID [--force] [PATH...] | --discard ID",
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
	        [REPORT_OFF] = "off", [REPORT_HUMAN] = "human", [REPORT_JSON] = "json",
	        [REPORT_BRIEF] = "",  [REPORT_SARIF] = "sarif", [REPORT_JUNIT] = "junit"};

	for (int i = 0; i < (int)(sizeof(forms) / sizeof(forms[0])); i++) {
		if (strcmp(forms[i], value) != 0 || !*value)
			continue;
		a->report = (enum report_form)i;
		a->report_given = true;
		return 0;
	}
	return error_set(err, EXIT_USAGE, "usage",
	                 "--report \"%s\": expected human, json, sarif, junit or off", value);
}

static int written_fd(int *out, const char *option, const char *value, int least, struct error *err)
{
	int fd = fd_number(option, value, least, err);
	int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);

	if (fd >= 0 && (flags < 0 || (flags & O_ACCMODE) == O_RDONLY))
		return error_set(err, EXIT_USAGE, "usage", "--%s: %d: not open for writing", option,
		                 fd);
	*out = fd;
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
		a->approver_said = value;
		return approver_place_read(value, &a->approver, err);
	case OWN_APPROVER_TIMEOUT:
		a->approver_timeout = value;
		return 0;
	case OWN_CALLER:
		free(a->caller);
		a->caller = xstrdup(value);
		return 0;
	case OWN_AUDIT:
		a->audit_file = value;
		return 0;
	case OWN_REPORT:
		return report_form(a, value, err);
	case OWN_REPORT_FD:
		return written_fd(&a->report_fd, "report-fd", value, 1, err);
	case OWN_RESULT_FD:
		return written_fd(&a->result_fd, "result-fd", value, 3, err);
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
	case OWN_WHILE_FD:
		a->while_fd = fd_number("while-fd", value, 3, err);
		return a->while_fd < 0 ? -1 : 0;
	case OWN_COMMAND_FD:
		a->command_fd = fd_number("command-fd", value, 3, err);
		return a->command_fd < 0 ? -1 : 0;
	case OWN_MCP:
		a->mcp = true;
		return 0;
	case OWN_CHANGES:
		a->changes = true;
		return 0;
	case OWN_DIFF:
		a->diff = true;
		return 0;
	case OWN_APPLY:
		a->apply = value;
		return 0;
	case OWN_FORCE:
		a->force = true;
		return 0;
	case OWN_DISCARD:
		a->discard = value;
		return 0;
	case OWN_VERBOSE:
		a->verbose = true;
		return 0;
	}
	return -1;
}

/* Who has the other end of what the command gets could answer in the approver's place. */
static int check_approver(const struct arguments *a, struct error *err)
{
	bool shared = a->approver.fd >= 0 &&
	              (a->approver.fd == a->report_fd || a->approver.fd == a->result_fd);

	for (int fd = 0; fd < 3; fd++)
		shared |= approver_is_also(&a->approver, fd);
	for (size_t i = 0; i < a->keep_count; i++)
		shared |= approver_is_also(&a->approver, a->keep[i]);
	return !shared ? 0
	               : error_set(err, EXIT_USAGE, "usage",
	                           "--approver: \"%s\": the command or the report has this socket "
	                           "as well",
	                           a->approver_said);
}

/* Many runs may ask the same one. */
static void settle_caller(struct arguments *a)
{
	struct timespec t;

	if (a->caller || a->approver.kind < APPROVER_SOCKET)
		return;
	clock_gettime(CLOCK_REALTIME, &t);
	a->caller =
	        xasprintf("sbx-run.%ld.%lld.%09ld", (long)getpid(), (long long)t.tv_sec, t.tv_nsec);
}

/* What is about one command, its streams or one run says nothing of a server. */
static int check_mcp(const struct arguments *a, struct error *err)
{
	static const char *const one[] = {"--escalate", "--justification", NULL};

	for (size_t i = 0; i < a->policy_count; i++)
		if (word_among(a->policy[i], one))
			return error_set(err, EXIT_USAGE, "usage",
			                 "--mcp and %s: each call says its own", a->policy[i]);
	if (a->command[0] || a->exec || a->json || a->dry_run || a->explain || a->learn ||
	    a->apply_patch || a->keep_count || a->report_given || a->command_fd >= 0 ||
	    a->result_fd >= 0 || a->report_fd != STDERR_FILENO)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--mcp takes options of the policy, --approver, --audit, --stage "
		                 "and --verbose, and no command");
	if (a->approver.kind == APPROVER_FD)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--mcp and --approver %s: many commands ask at the same time; "
		                 "name a program or unix:PATH",
		                 a->approver_said);
	return 0;
}

static bool has_word(const struct arguments *a, const char *word)
{
	for (size_t i = 0; i < a->policy_count; i++)
		if (strcmp(a->policy[i], word) == 0)
			return true;
	return false;
}

/* A preview that is there: nothing runs. */
static int check_kept(const struct arguments *a, struct error *err)
{
	int verbs = a->changes + (a->apply != NULL) + (a->discard != NULL);

	if (verbs > 1 || (a->force && !a->apply) ||
	    (verbs && (a->exec || a->dry_run || a->explain || a->learn || a->apply_patch ||
	               a->policy_count)))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--changes, --apply and --discard are about a preview that was "
		                 "kept, one of them at a time; --force is for --apply");
	if (a->diff && !a->changes && verbs)
		return error_set(err, EXIT_USAGE, "usage", "--diff is for --changes or --preview");
	if (a->discard && a->command[0])
		return error_set(err, EXIT_USAGE, "usage", "--discard: expected one ID");
	return verbs;
}

static int check_together(const struct arguments *a, struct error *err)
{
	bool stages = false;
	int kept = check_kept(a, err);

	if (kept)
		return kept < 0 ? -1 : 0;
	if (has_word(a, "--preview") && (a->apply_patch || a->learn))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--preview cannot be combined with --apply-patch or --learn");

	if (a->mcp)
		return check_mcp(a, err);

	for (size_t i = 0; i < STAGE_COUNT; i++)
		stages |= a->replaced[i] != NULL;
	if (a->exec && (a->command[0] || a->policy_count || stages))
		return error_set(
		        err, EXIT_USAGE, "usage",
		        "--exec takes its commands and policy from the documents on stdin, "
		        "not from arguments");
	if (a->exec + a->dry_run + a->explain > 1 ||
	    ((a->json || a->result_fd >= 0) && (a->dry_run || a->explain)))
		return error_set(err, EXIT_USAGE, "usage",
		                 "only one of --exec, --dry-run and --explain, and --json and "
		                 "--result-fd only with a run");
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
	if (a->command_fd >= 0 && (a->command[0] || a->exec || a->explain))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--command-fd: the command comes from the document, not from "
		                 "arguments");
	if (!a->exec && !a->explain && a->command_fd < 0 && !a->command[0])
		return error_set(err, EXIT_USAGE, "usage", "no command (try --help)");
	return 0;
}

/* A program that is told everything in another way. */
static bool reads_result(const struct arguments *a)
{
	return a->json || a->learn || a->result_fd >= 0;
}

/* A person reads a terminal; a program that names an fd reads events. */
static int settle_report(struct arguments *a, struct error *err)
{
	bool named = a->report_fd >= 0;

	if (named && a->report_given && a->report == REPORT_OFF)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--report off and --report-fd contradict each other");
	for (size_t i = 0; i < a->keep_count; i++)
		if (a->keep[i] == a->report_fd || a->keep[i] == a->result_fd)
			return error_set(err, EXIT_USAGE, "usage",
			                 "--%s-fd and --keep-fd: %d: the command could write "
			                 "its own report",
			                 a->keep[i] == a->report_fd ? "report" : "result",
			                 a->keep[i]);
	if (named && a->report_fd == a->result_fd)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--report-fd and --result-fd: %d: one line could not be told from "
		                 "the other",
		                 a->report_fd);
	if (!named && (a->report == REPORT_SARIF || a->report == REPORT_JUNIT))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--report sarif and junit need a place of their own: add "
		                 "--report-fd 3 and 3>FILE");
	if (!a->report_given)
		a->report = named                   ? REPORT_JSON
		            : isatty(STDERR_FILENO) ? REPORT_HUMAN
		            : reads_result(a)       ? REPORT_OFF
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
	return !a->json && a->result_fd < 0 && !a->dry_run && !a->explain && !a->exec &&
	       !a->apply_patch && !a->approver_said && a->report != REPORT_JSON &&
	       !getenv("SBX_SESSION") &&
	       own_terminal_is_ours(isatty(STDERR_FILENO) ? STDERR_FILENO : -1);
}

int arguments_parse(int argc, char **argv, struct arguments *a, struct error *err)
{
	struct options options;
	const struct option *option;
	const char *value;

	memset(a, 0, sizeof(*a));
	a->audit = a->learned = a->report_fd = a->result_fd = a->command_fd = a->approver.fd = -1;
	a->while_fd = -1;
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
	if (settle_report(a, err) < 0 || check_approver(a, err) < 0)
		return -1;
	settle_caller(a);
	a->ask_trust = person_is_there(a);
	return check_together(a, err);
}

void arguments_free(struct arguments *a)
{
	os_vector_free(a->policy);
	free(a->input);
	free(a->keep);
	free(a->caller);
}
