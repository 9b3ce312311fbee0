/*
 * Does the system's own bwrap work where we do not?  AppArmor profiles attach
 * to its path, so it may be allowed what this program is not.
 */
#ifndef SBX_SELECT_SYSTEM_BWRAP_H
#define SBX_SELECT_SYSTEM_BWRAP_H

#include <stdbool.h>

/* Never looked up in PATH: what is there may be the workspace's. */
#define SYSTEM_BWRAP "/usr/bin/bwrap"

/* Runs it once, with nothing of our environment, for at most two seconds. */
bool system_bwrap_works(void);

/* True when its --help names the option. */
bool system_bwrap_has(const char *option);

#endif
