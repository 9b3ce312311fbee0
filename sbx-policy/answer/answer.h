/*
 * What is the answer to what was asked?
 */
#ifndef SBX_POLICY_ANSWER_ANSWER_H
#define SBX_POLICY_ANSWER_ANSWER_H

#include "base/error.h"
#include "config/command_line.h"
#include "entries/policy.h"
#include "resolve/load_settings.h"

/* The exit status.  Where why->exit is set there is no policy, and this is why. */
int answer(const struct request *request, const struct loaded *loaded, const struct policy *policy,
           const struct error *why);

#endif
