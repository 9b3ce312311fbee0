/*
 * Would the policy allow this access?  For the file tools of a program that
 * asks before it acts.
 */
#ifndef SBX_POLICY_ANSWER_CHECK_PATH_H
#define SBX_POLICY_ANSWER_CHECK_PATH_H

#include "entries/policy.h"

struct verdict {
	bool allowed;
	char *real;         /* where the path leads; NULL: nowhere that can be named */
	char *rule;         /* the deciding entry or pattern; NULL: there is none */
	enum access access; /* that it gives */
};

/* A relative path is meant from `base`. */
void verdict_find(struct verdict *verdict, const struct policy *policy, const char *base,
                  enum access access, const char *path);
void verdict_free(struct verdict *verdict);

/* --check-path: one line per path.  0: all allowed; 1: at least one is not; -1: error. */
int check_paths(const struct policy *policy, const char *base, enum access access, char **paths,
                struct error *err);

#endif
