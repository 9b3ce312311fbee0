/*
 * May this command run, and who has to say so?  The decision tree.
 */
#ifndef SBX_APPROVE_DECISION_TABLE_H
#define SBX_APPROVE_DECISION_TABLE_H

#include "base/error.h"
#include "command/analysis.h"
#include "document/document.h"

#include <jansson.h>

/* From lenient to strict: the strictest of several counts. */
enum verdict {
	VERDICT_SKIP,   /* nobody has to be asked */
	VERDICT_ASK,    /* a person or an approver decides */
	VERDICT_REFUSE, /* would have to be asked, and the policy says never to ask */
};

/* What the command wants, the widest of it. */
enum want {
	WANT_RUN,     /* run, in the sandbox that the policy asks for */
	WANT_OUTSIDE, /* run outside of it: "escalate", or preference "forbid" */
	WANT_PATCH,   /* change the files of a patch */
	WANT_RETRY,   /* run again after a denial, with more than the policy gives */
	WANT_MORE,    /* run with more than the policy gives, and say so before */
	WANT_HOST,    /* reach a host that is not listed, while it runs */
	WANT_CHANGES, /* keep what it has changed in a preview */
	WANT_BARE,    /* run although no sandbox of this machine holds the policy */
	WANTS,
};

extern const char *const want_names[WANTS];

struct judgement {
	enum verdict verdict;
	enum want want;
	bool ceiling;       /* the session is what does not allow it */
	bool safe;          /* nobody has to be asked because it is known to be safe */
	const char *reason; /* why, in half a sentence */
	const char *cure;   /* what would let it run; NULL for VERDICT_SKIP */
};

/* The place of a command in the tree; -1 when the policy is not one we know. */
int tree_judge(const char *approval_policy, const char *mode, enum want want,
               enum command_class class, struct judgement *judgement, struct error *err);

/* What the document wants. */
enum want tree_want(const json_t *doc, const struct command *command);

/* read-only 0, workspace-write 1, external-sandbox 2, danger-full-access 3; else -1. */
int tree_mode_rank(const char *mode);
bool tree_knows_policy(const char *approval_policy);

#endif
