/*
 * Which command line of sandbox-exec runs the command?  The "exec" of a
 * document.
 */
#ifndef SBX_SEATBELT_COMMAND_H
#define SBX_SEATBELT_COMMAND_H

#include "document/document.h"
#include "profile.h"

#include <stdbool.h>

/*
 * Puts the profile in front of exec.argv.  Without "exec", which sbx-wrap
 * makes, the command gets the variables that every program needs and no more.
 * With log_denials, or policy.sbx.log_denials, this program stands in front
 * and watches the log.
 */
int command_wrap(json_t *doc, const struct profile *profile, bool log_denials, struct error *err);

#endif
