/*
 * What does the command line ask for?
 */
#ifndef SBX_POLICY_CONFIG_REQUEST_H
#define SBX_POLICY_CONFIG_REQUEST_H

#include "base/complain.h"
#include "base/error.h"
#include "config/config.h"
#include "config/settings.h"
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
	QUESTION_LIST, /* which names there are */
	QUESTION_TRUST,
	QUESTION_UNTRUST,
	QUESTION_REMEMBER, /* --add-dir and --allow-host for the project */
	QUESTION_FORGET,
	QUESTION_CACHES,
};

struct request {
	struct settings flags;   /* what the flags say, and the defaults besides */
	struct config overrides; /* -c */
	bool full_auto;          /* --full-auto, which is none of the flags yet */
	bool ask_trust;          /* --ask-trust */
	char *accepted;          /* --accept-lost, as a list of TOML; or NULL */
	const char *directory;   /* -C, or NULL */
	const char *profile;     /* -p, or NULL */
	char **operands;         /* the command, or what the question is about; NULL-terminated */
	enum question question;
	enum access access; /* of --check-path */
	const char *file;   /* of --test; of --list what */
	bool clear, all;    /* of --caches */
	bool for_command;   /* an option was given that is about one command */
	json_int_t timeout_ms;
	bool require, forbid, escalate;
	const char *justification; /* or NULL */
	const char *tool;          /* "exec" or "patch" */
	struct root_list files;    /* of a patch */
	const char *patch;         /* where its text is; NULL: not given */
	/* A setting that cannot be had.  Kept, so that the document can say it. */
	struct error refused;
};

#endif
