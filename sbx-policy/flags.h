/*
 * What the command line asks for.
 */
#ifndef SBX_POLICY_FLAGS_H
#define SBX_POLICY_FLAGS_H

#include "error.h"
#include "notes.h"
#include "settings.h"

#include <jansson.h>
#include <stdbool.h>

struct request {
	struct settings settings;
	const char *directory; /* -C, or NULL */
	char **operands;       /* the command, or the paths to check; NULL-terminated */
	int check;             /* enum access of --check-path, or -1 */
	bool explain;
	bool for_command; /* an option was given that is about one command */
	json_int_t timeout_ms;
	bool require, forbid, escalate;
	const char *justification; /* or NULL */
	struct notes notes;
	/* A setting that cannot be had.  Kept, so that the document can say it. */
	struct error refused;
};

/* -1 with err: wrong usage. */
int request_read(struct request *request, int argc, char **argv, struct error *err);
void request_free(struct request *request);

#endif
