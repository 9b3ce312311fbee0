/*
 * What did the caller ask for?
 */
#ifndef SBX_RUN_ARGUMENTS_H
#define SBX_RUN_ARGUMENTS_H

#include "base/error.h"

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
};

struct arguments {
	bool exec, json, dry_run, explain, learn, apply_patch, verbose;
	bool ask_trust; /* a person is there who can be asked about the project */
	char *input;    /* for the first stage; NULL: nothing */
	size_t input_len;
	enum report_form report;
	bool report_given;      /* by option, not because of a terminal */
	int report_fd;          /* where to */
	const char *learn_file; /* or NULL: stderr */
	int learned;            /* where the learned table goes, or -1 */
	char **policy;          /* words for sbx-policy, as they will be passed */
	size_t policy_count;
	int *keep; /* fds that the command inherits beside 0, 1 and 2 */
	size_t keep_count;
	const char *approver;              /* for sbx-approve, or NULL */
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
