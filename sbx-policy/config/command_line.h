/*
 * What the command line asks for.
 */
#ifndef SBX_POLICY_CONFIG_COMMAND_LINE_H
#define SBX_POLICY_CONFIG_COMMAND_LINE_H

#include "base/error.h"
#include "base/warnings.h"
#include "config/config.h"
#include "config/settings.h"
#include "git/repository.h"
#include "policy/permissions.h"

#include <jansson.h>
#include <stdbool.h>

/* What is asked of the policy. */
enum question {
	QUESTION_DOCUMENT, /* the policy itself, in a document */
	QUESTION_EXPLAIN,
	QUESTION_CHECK_PATH,
	QUESTION_TEST,
	QUESTION_DIFF,
	QUESTION_TRUST,
	QUESTION_UNTRUST,
};

struct request {
	struct settings settings;
	struct config config;    /* all layers, merged */
	struct config overrides; /* -c */
	struct repository repository;
	const char *directory; /* -C, or NULL */
	const char *profile;   /* -p, or NULL */
	char **operands;       /* the command, or what the question is about; NULL-terminated */
	int option_count;      /* words before them, the program's name included */
	int dashes;            /* 1: the last of these is "--" */
	enum question question;
	enum access access; /* of --check-path */
	const char *file;   /* of --test */
	bool for_command;   /* an option was given that is about one command */
	json_int_t timeout_ms;
	bool require, forbid, escalate;
	const char *justification; /* or NULL */
	struct notes notes;
	/* A setting that cannot be had.  Kept, so that the document can say it. */
	struct error refused;
};

/* -1 with err: wrong usage. */
int request_read(struct request *request, int argc, char **argv, struct error *err);

/* What the flags and the rest of the settings contradict each other in. */
int request_agree(const struct request *request, struct error *err);
void request_free(struct request *request);

#endif
