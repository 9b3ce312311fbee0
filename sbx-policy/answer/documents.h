/*
 * Which documents get the policy?
 */
#ifndef SBX_POLICY_ANSWER_DOCUMENTS_H
#define SBX_POLICY_ANSWER_DOCUMENTS_H

#include "base/error.h"
#include "config/command_line.h"
#include "entries/policy.h"
#include "resolve/load_settings.h"

/*
 * The first document of the command, or the documents on stdin, with the policy
 * or, where why->exit is set, with that error.  The exit status.
 */
int answer_documents(const struct request *request, const char *workspace,
                     const struct policy *policy, const struct error *why);

/*
 * What is the answer to what was asked?
 */

/* The exit status.  Where why->exit is set there is no policy, and this is why. */
int answer(const struct request *request, const struct loaded *loaded, const struct policy *policy,
           const struct error *why);

#endif
