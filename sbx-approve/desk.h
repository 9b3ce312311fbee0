/*
 * Who is asked, and in which order?
 */
#ifndef SBX_APPROVE_DESK_H
#define SBX_APPROVE_DESK_H

#include "connection/approver.h"
#include "question.h"
#include "rules/which_rules.h"

/* Where questions are brought to. */
struct desk {
	struct book book;
	struct approver approver; /* --approver */
	int limit_ms;
	const char *source;  /* --source, or NULL */
	const char *caller;  /* --caller, or NULL */
	char *prefix;        /* of the ids of our questions over a connection */
	const char *session; /* SBX_SESSION, or NULL */
	int fd;              /* the connection to it, once there is one; else -1 */
	json_t *hello;       /* what it allows at most */
	const char **policies;
	struct ceiling ceiling;
	struct site_memory memory;
};

/* The session's ceiling.  One that cannot be reached might have allowed less: -1. */
int desk_open_session(struct desk *desk, const json_t *doc, struct error *err);

/*
 * What the session has given to every command here: into q->scope, without what
 * the policy hides.  Nothing for a run that our sandbox does not hold, for a patch,
 * and where nobody is ever asked.
 */
void desk_look_at_scope(const struct desk *desk, struct question *q);

/* The answer, with "by"; NULL: there is nobody to ask. */
json_t *desk_ask(struct desk *desk, const struct question *q, const json_t *request);

void desk_close(struct desk *desk);

#endif
