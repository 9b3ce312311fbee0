/*
 * What did the caller ask for?
 */
#ifndef SBX_RUN_ARGUMENTS_H
#define SBX_RUN_ARGUMENTS_H

#include "trust/approver_place.h"

#include <stdbool.h>
#include <stddef.h>

enum stage_id {
	STAGE_POLICY,
	STAGE_APPROVE,
	STAGE_SELECT,
	STAGE_WRAP,
	STAGE_COUNT,
};

/* Who is told what was denied? */
enum report_form {
	REPORT_OFF,
	REPORT_HUMAN, /* a person, after the end */
	REPORT_JSON,  /* a program, as it happens */
	REPORT_BRIEF, /* whoever reads the log, in one line */
	REPORT_SARIF, /* tools of CI, after the end */
	REPORT_JUNIT,
};

struct arguments {
	bool exec, json, dry_run, explain, learn, apply_patch, mcp, verbose;
	const char *apply, *discard; /* the preview that is meant, or NULL */
	bool changes, diff, force;   /* which there are, and how they are shown */
	bool ask_trust;              /* a person is there who can be asked about the project */
	char *input;                 /* for the first stage; NULL: nothing */
	size_t input_len;
	enum report_form report;
	bool report_given;      /* by option, not because of a terminal */
	int report_fd;          /* where to */
	int result_fd;          /* where the final document goes, or -1 */
	const char *learn_file; /* or NULL: stderr */
	int learned;            /* where the learned table goes, or -1 */
	char **policy;          /* words for sbx-policy, as they will be passed */
	size_t policy_count;
	int command_fd; /* where the command's document comes from, or -1 */
	int while_fd;   /* whose other end the caller has as long as it is there, or -1 */
	int *keep;      /* fds that the command inherits beside 0, 1 and 2 */
	size_t keep_count;
	struct approver_place approver;    /* for sbx-approve */
	const char *approver_said;         /* --approver as it was given, or NULL */
	const char *approver_timeout;      /* or NULL */
	char *caller;                      /* who asks, for an approver; or NULL */
	const char *audit_file;            /* or NULL */
	int audit;                         /* open for records, or -1 */
	const char *replaced[STAGE_COUNT]; /* --stage, or NULL; points into argv */
	char **command;                    /* the end of argv, maybe empty */
};

extern const char *const stage_programs[STAGE_COUNT];

/* Checks as well that the fds to keep are open; so nothing may be opened before. */
int arguments_parse(int argc, char **argv, struct arguments *arguments, struct error *err);
/* One more option of sbx-policy, and its value. */
void arguments_pass(struct arguments *arguments, const char *option, const char *value);
void arguments_free(struct arguments *arguments);

#endif
