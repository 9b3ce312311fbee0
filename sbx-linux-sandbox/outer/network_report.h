/*
 * What does the gateway say, and who is told?
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_NETWORK_REPORT_H
#define SBX_LINUX_SANDBOX_OUTER_NETWORK_REPORT_H

#include "observer/observation.h"
#include "outer/host_questions.h"

/* One word, which may be a question; false when the gateway is gone. */
bool network_report_hear(const struct observation *observation, struct host_questions *questions);

/* When the command has ended: what was reached, as lines for the report (-1: nobody's). */
void network_report_conclude(const struct observation *observation, int report);

#endif
