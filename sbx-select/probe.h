/*
 * The report of --probe: what works on this machine, the cure for what does
 * not, and last the one line to type.
 */
#ifndef SBX_SELECT_PROBE_H
#define SBX_SELECT_PROBE_H

#include "machine.h"

/* Prints it; 0 when a sandbox for workspace-write is available, else 4. */
int probe_report(const struct machine *machine);

#endif
