/*
 * Does the person trust this project?
 *
 * By option, or at the terminal in a project that nobody decided about.
 */
#ifndef SBX_POLICY_PROJECT_ASK_TRUST_H
#define SBX_POLICY_PROJECT_ASK_TRUST_H

#include "base/complain.h"
#include "base/error.h"
#include "config/command_line.h"
#include "config/settings.h"

/* --trust and --untrust; what was seen and decided is printed. */
int trust_by_option(const char *directory, const struct request *request, struct error *err);

/*
 * A yes would change something: nobody decided about the project, nothing else
 * names a mode, questions are wanted, and it is not a home directory, which
 * holds more than one project.
 */
bool trust_is_asked(const struct settings *settings);

/*
 * Asks at the terminal.  1: decided and written, so that the settings are others
 * now; 0: not now, or there is no terminal; -1 with err: nothing is to run.  A
 * project whose files cannot be read is noted and stays as it is.
 */
int trust_ask(const char *workspace, struct notes *notes, struct error *err);

#endif
