/*
 * sbx-seatbelt: the wrap of macOS, policy + command -> sandbox-exec.
 */
#include "command.h"
#include "document/options.h"
#include "document/stage.h"
#include "proxy/proxied.h"
#include "request.h"
#include "watch.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum own {
	OWN_PROFILE,
	OWN_LOG_DENIALS,
	OWN_HOSTS,
	OWN_ANY_SERVER_NAME,
	OWN_ASK_HOSTS,
	OWN_REPORT_FD,
	OWN_KEEP_FD,
};

static const struct option own_options[] = {
        {OWN_PROFILE, "profile", 0, NULL,
         "print the profile alone, readable, instead of the document"},
        {OWN_LOG_DENIALS, "log-denials", 0, NULL,
         "before a command: run it and report what the system log says was denied; "
         "without one: wrap so that this is done"},
        {OWN_HOSTS, "hosts", 0, "LIST",
         "before a command: run it beside a proxy to these hosts, which its variables name"},
        {OWN_ANY_SERVER_NAME, "any-server-name", 0, NULL,
         "with --hosts: do not look at which server TLS names"},
        {OWN_ASK_HOSTS, "ask-hosts", 0, "HOW", "with --hosts: accepted; nobody is asked"},
        {OWN_REPORT_FD, "report-fd", 0, "N", "before a command: report to fd N as JSON lines"},
        {OWN_KEEP_FD, "keep-fd", 0, "N",
         "before a command: accepted; every inherited fd stays open"},
        {0},
};

static const struct program program = {
        .name = "sbx-seatbelt",
        .synopsis = "[--profile | --log-denials] <documents >documents\n"
                    "       sbx-seatbelt [--log-denials] [--hosts LIST] -- "
                    "COMMAND [ARG...]",
        .purpose = "Adds \"exec\" to each document: the command under macOS's sandbox-exec.",
        .tables = {own_options},
        .notes = "Status: 0 documents written, 2 wrong usage, 3 bad input, 4 that sandbox is not\n"
                 "available, 5 a system call failed.\n"
                 "\n"
                 "  sbx-policy --auto -- make | sbx-approve | sbx-select --platform macos |\n"
                 "      sbx-seatbelt --profile\n"
                 "  sbx-seatbelt --log-denials -- make\n"
                 "\n"
                 "More in sbx-seatbelt(1).",
};

struct chosen {
	bool profile, log_denials;
	struct watch watch;
	struct proxied proxied;
};

static int wrap_document(json_t *doc, void *context, struct error *err)
{
	const struct chosen *chosen = context;
	struct profile profile = {0};
	int status = profile_make(doc, &profile, err);

	if (status == 0)
		status = command_wrap(doc, &profile, chosen->log_denials, err);
	/* The plain command, which came as a plan, must not outlive a refusal. */
	if (status < 0)
		json_object_del(doc, "exec");
	profile_free(&profile);
	return status;
}

/* The profile alone, without the document. */
static int print_profile(json_t *doc, void *context, struct error *err)
{
	struct profile profile = {0};
	int status = profile_make(doc, &profile, err);

	(void)context;
	if (status == 0)
		fputs(profile.text, stdout);
	profile_free(&profile);
	return status;
}

static int take_option(struct chosen *chosen, enum own which, const char *value, struct error *err)
{
	switch (which) {
	case OWN_PROFILE:
		chosen->profile = true;
		return 0;
	case OWN_LOG_DENIALS:
		chosen->log_denials = true;
		return 0;
	case OWN_HOSTS:
		return proxied_hosts(&chosen->proxied, value, err);
	case OWN_ANY_SERVER_NAME:
		chosen->proxied.any_server_name = true;
		return 0;
	case OWN_REPORT_FD:
		return watch_report_fd(&chosen->watch, value, err);
	case OWN_ASK_HOSTS:
	case OWN_KEEP_FD:
		return 0;
	}
	return -1;
}

/* What belongs together, and what to a command. */
static int check_options(const struct chosen *chosen, bool command, struct error *err)
{
	bool runs = chosen->log_denials || chosen->proxied.asked;

	if (chosen->profile && (chosen->log_denials || chosen->proxied.asked))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--profile goes with no other option (try --help)");
	if (chosen->proxied.any_server_name && !chosen->proxied.asked)
		return error_set(err, EXIT_USAGE, "usage", "--any-server-name belongs to --hosts");
	if (chosen->proxied.asked && !command)
		return error_set(err, EXIT_USAGE, "usage", "--hosts: no command (try --help)");
	if (!runs && (command || chosen->watch.report >= 0))
		return error_set(err, EXIT_USAGE, "usage",
		                 "a command and --report-fd belong to --log-denials or --hosts "
		                 "(try --help)");
	return 0;
}

static int run_command(struct chosen *chosen, char **argv)
{
	chosen->watch.no_log = !chosen->log_denials;
	return chosen->proxied.asked ? proxied_command(&chosen->proxied, &chosen->watch, argv)
	                             : watch_command(&chosen->watch, argv);
}

int main(int argc, char **argv)
{
	struct chosen chosen = {.watch = {.report = -1}};
	const struct option *option;
	struct options options;
	struct error err = {0};
	const char *value;

	stage_begin(program.name);
	options_begin(&options, &program, argc, argv);
	while ((option = options_next(&options, &value, &err)) != NULL)
		if (take_option(&chosen, (enum own)option->id, value, &err) < 0)
			break;
	if (err.exit || check_options(&chosen, options.next < options.argc, &err) < 0)
		return stage_fail(&err);
	if (options.next < options.argc)
		return run_command(&chosen, argv + options.next);
	return chosen.profile ? stage_print(print_profile, NULL)
	                      : stage_stream(wrap_document, &chosen);
}
