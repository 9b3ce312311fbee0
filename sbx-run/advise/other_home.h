/*
 * Would another home directory help, where none may be opened?
 */
#ifndef SBX_RUN_ADVISE_OTHER_HOME_H
#define SBX_RUN_ADVISE_OTHER_HOME_H

#include <jansson.h>
#include <stdbool.h>

/* Some word of the command names the home directory: what it says is not taken from HOME. */
bool home_is_spelt(const json_t *argv);

/*
 * "--env HOME=/tmp" for a file of a program's own that lies directly in the home
 * directory, such as a cookie or a history: it gives nothing, and is there again for
 * the next run.  NULL for anything else, and where /tmp is the host's.
 */
char *other_home(const json_t *policy, const json_t *denial);

/* The option moves the home directory: what is opened in the old one is of no use. */
bool moves_home(const char *option, const char *value);

#endif
