/*
 * May this command run, and who has to say so?  The decision tree.
 */
#ifndef SBX_APPROVE_TREE_H
#define SBX_APPROVE_TREE_H

#include "document.h"
#include "error.h"

#include <jansson.h>

enum verdict {
	VERDICT_SKIP,   /* nobody has to be asked */
	VERDICT_ASK,    /* a person or an approver decides */
	VERDICT_REFUSE, /* would have to be asked, and the policy says never to ask */
};

struct judgement {
	enum verdict verdict;
	const char *reason; /* why, in half a sentence */
	const char *cure;   /* what would let it run; NULL for VERDICT_SKIP */
};

/* The place of a command in the tree; -1 when the policy is not one we know. */
int tree_judge(const json_t *policy, const struct command *command, struct judgement *judgement,
               struct error *err);

#endif
