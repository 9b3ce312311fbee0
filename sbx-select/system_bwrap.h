/*
 * Does the system's own bwrap work where we do not?  AppArmor profiles attach
 * to its path, so it may be allowed what this program is not.
 */
#ifndef SBX_SELECT_SYSTEM_BWRAP_H
#define SBX_SELECT_SYSTEM_BWRAP_H

#include <stdbool.h>
#include <stddef.h>

/* Never looked up in PATH: what is there may be the workspace's. */
#define SYSTEM_BWRAP "/usr/bin/bwrap"

/* Runs it once, with nothing of our environment, for at most two seconds. */
bool system_bwrap_works(void);

/* What its --help prints. */
bool system_bwrap_help(char *text, size_t size);

#endif
