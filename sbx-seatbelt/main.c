/*
 * sbx-seatbelt: the wrap of macOS, policy + command -> sandbox-exec.
 */
#include "command.h"
#include "document/options.h"
#include "document/stage.h"
#include "request.h"
#include "watch.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum own {
	OWN_PROFILE,
	OWN_LOG_DENIALS,
	OWN_REPORT_FD,
	OWN_KEEP_FD,
};

static const struct option own_options[] = {
        {OWN_PROFILE, "profile", 0, NULL,
         "print the profile alone, readable, instead of the document"},
        {OWN_LOG_DENIALS, "log-denials", 0, NULL,
         "before a command: run it and report what the system log says was denied; "
         "without one: wrap so that this is done"},
        {OWN_REPORT_FD, "report-fd", 0, "N", "with --log-denials: report to fd N as JSON lines"},
        {OWN_KEEP_FD, "keep-fd", 0, "N",
         "with --log-denials: accepted; every inherited fd stays open"},
        {0},
};

static const struct program program = {
        .name = "sbx-seatbelt",
        .synopsis = "[--profile | --log-denials] <documents >documents\n"
                    "       sbx-seatbelt --log-denials [--report-fd N] -- COMMAND [ARG...]",
        .purpose = "Adds \"exec\" to each document: the command under macOS's sandbox-exec.",
        .tables = {own_options},
};

struct chosen {
	bool profile, log_denials;
	struct watch watch;
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
	case OWN_REPORT_FD:
		return watch_report_fd(&chosen->watch, value, err);
	case OWN_KEEP_FD:
		return 0;
	}
	return -1;
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
	if (err.exit == 0 && chosen.profile && chosen.log_denials)
		error_set(&err, EXIT_USAGE, "usage", "only one of --profile and --log-denials");
	if (err.exit == 0 && !chosen.log_denials &&
	    (options.next < options.argc || chosen.watch.report >= 0))
		error_set(&err, EXIT_USAGE, "usage",
		          "a command and --report-fd belong to --log-denials (try --help)");
	if (err.exit)
		return stage_fail(&err);
	if (chosen.log_denials && options.next < options.argc)
		return watch_command(&chosen.watch, argv + options.next);
	return chosen.profile ? stage_print(print_profile, NULL)
	                      : stage_stream(wrap_document, &chosen);
}
