/*
 * What does a command line ask for?
 *
 * Options are tables, so that --help, the man page and the parser cannot
 * disagree.
 */
#ifndef SBX_DOCUMENT_OPTIONS_H
#define SBX_DOCUMENT_OPTIONS_H

#include "base/error.h"
#include "document/program.h"

struct options {
	const struct program *program;
	int argc;
	char **argv;
	int next;           /* first argument not yet consumed */
	const char *bundle; /* rest of "-abc" */
};

void options_begin(struct options *options, const struct program *program, int argc, char **argv);

/*
 * The next option and its value.  NULL at the end of the options, with
 * options->next at the first operand, and NULL with err filled when the
 * arguments are wrong.  --help and --version print and end the process.
 * Accepted forms: --name value, --name=value, -n value, -nvalue, -ab, and
 * "--" which ends the options.
 */
const struct option *options_next(struct options *options, const char **value, struct error *err);

/* Of a program that takes nothing but options: -1 names what follows them. */
int options_end(const struct options *options, struct error *err);

/* The options that sbx-policy and sbx-run share: sbx-run passes them on. */
enum policy_option {
	OPTION_SANDBOX,
	OPTION_ASK_FOR_APPROVAL,
	OPTION_PROFILE,
	OPTION_PERMISSIONS,
	OPTION_CD,
	OPTION_CONFIG,
	OPTION_ADD_DIR,
	OPTION_NARROW,
	OPTION_NETWORK,
	OPTION_ALLOW_HOST,
	OPTION_TMP,
	OPTION_LIMIT,
	OPTION_PREVIEW,
	OPTION_ACCEPT_LOST,
	OPTION_ALLOW,
	OPTION_HIDE,
	OPTION_ENV,
	OPTION_FULL_AUTO,
	OPTION_TIMEOUT,
	OPTION_ESCALATE,
	OPTION_JUSTIFICATION,
	OPTION_REQUIRE,
	OPTION_FORBID,
	OPTION_OWN, /* the first of a program that has others besides */
};
extern const struct option policy_options[];

#endif
