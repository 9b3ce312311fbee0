/*
 * How bad would it be if the answer were wrong?
 */
#ifndef SBX_APPROVE_ASK_ASSESS_RISK_H
#define SBX_APPROVE_ASK_ASSESS_RISK_H

#include "question.h"

/* {"level":...,"description":...}, by our own table. */
json_t *risk_builtin(const struct question *q);

/*
 * What the assessor of the configuration says, when the feature is on; ours
 * when none is configured.  NULL: the feature is off, or no assessment could
 * be had.  An assessment never approves anything.
 */
json_t *risk_assess(const struct question *q);

#endif
