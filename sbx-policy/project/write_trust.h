/*
 * --trust and --untrust: how does a decision get into the user's file?
 */
#ifndef SBX_POLICY_PROJECT_WRITE_TRUST_H
#define SBX_POLICY_PROJECT_WRITE_TRUST_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* What a person may say about a project. */
enum verdict {
	VERDICT_TRUST,
	VERDICT_UNTRUST,
	VERDICT_LATER, /* nothing is written */
};

struct trust_answer {
	enum verdict verdict;
	const char *hide; /* in every run of the project: a preset of --hide, or NULL */
};

/*
 * Decides, having seen what the project's files widen: a line each, "" when
 * nothing.  -1 with err ends it, and nothing is written.
 */
typedef int trust_judge(void *context, const char *project, const char *widens,
                        struct trust_answer *answer, struct error *err);

/*
 * About the project in a directory.  To trust is to have looked: what the
 * project's files widen is shown to the judge, and the digests of just that are
 * kept; without a look, nobody can trust.  The user's file keeps its comments and order, and is
 * replaced as a whole or not at all.
 */
int decide_trust(const char *directory, bool look, trust_judge *judge, void *context,
                 struct error *err);

#endif
