/*
 * Who decides about a document, and what was decided?
 */
#ifndef SBX_APPROVE_DECIDE_H
#define SBX_APPROVE_DECIDE_H

#include "question.h"
#include "rules/which_rules.h"

/* Where questions are brought to. */
struct desk {
	struct book book;
	const char *approver; /* --approver, or NULL */
	int limit_ms;
	const char *source;  /* --source, or NULL */
	const char *session; /* SBX_SESSION, or NULL */
	int fd;              /* the connection to it, once there is one; else -1 */
	json_t *hello;       /* what it allows at most */
	const char **policies;
	struct ceiling ceiling;
	struct site_memory memory;
};

/* Adds "approval".  0, EXIT_DENIED after a line on stderr, or -1. */
int decide(json_t *doc, struct desk *desk, struct error *err);
void desk_close(struct desk *desk);

#endif
