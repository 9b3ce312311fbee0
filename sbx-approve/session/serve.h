/*
 * How does a session begin and end?
 */
#ifndef SBX_APPROVE_SESSION_SERVE_H
#define SBX_APPROVE_SESSION_SERVE_H

#include "trust/approver_place.h"

struct serve {
	struct approver_place approver;
	int limit_ms;
	const char *parent, *source;
	const char *policy, *mode; /* what the session allows at most, or NULL */
	char **command;            /* empty: in the background, for the calling shell */
};

/*
 * With a command: its exit status, when it and the session have ended.
 * Without: prints what the shell is to evaluate; the session lasts as long as
 * that shell.
 */
int serve(const struct serve *serve, struct error *err);

#endif
