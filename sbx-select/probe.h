/*
 * What works on this machine, and what would cure the rest?
 *
 * The report of --probe; its last line is the one to type.
 */
#ifndef SBX_SELECT_PROBE_H
#define SBX_SELECT_PROBE_H

#include "machine.h"

/* Prints it; 0 when a sandbox for workspace-write is available, else 4. */
int probe_report(const struct machine *machine);

#endif
