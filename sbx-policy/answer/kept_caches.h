/*
 * Who shows and removes what is kept of caches?
 *
 * The Linux helper, which keeps it: this program becomes it.
 */
#ifndef SBX_POLICY_ANSWER_KEPT_CACHES_H
#define SBX_POLICY_ANSWER_KEPT_CACHES_H

#include "base/error.h"
#include "config/command_line.h"

/* Returns only with an error. */
int caches_exec(const struct request *request, struct error *err);

#endif
