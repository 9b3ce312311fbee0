/*
 * Which documents get the policy?
 */
#ifndef SBX_POLICY_ANSWER_DOCUMENTS_H
#define SBX_POLICY_ANSWER_DOCUMENTS_H

#include "base/error.h"
#include "config/command_line.h"
#include "entries/policy.h"

/*
 * The first document of the command, or the documents on stdin, with the policy
 * or, where why->exit is set, with that error.  The exit status.
 */
int answer_documents(const struct request *request, const char *workspace,
                     const struct policy *policy, const struct error *why);

#endif
