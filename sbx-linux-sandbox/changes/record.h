/*
 * Is what a preview changed on the host still what it was when the command ended?
 *
 * Noted once, at the first look at the changes: numbers, sizes and times of what the
 * host has in their places.  What changed while the command ran is a conflict at once.
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_RECORD_H
#define SBX_LINUX_SANDBOX_CHANGES_RECORD_H

#include "changes/scan.h"

/* Makes the note if there is none, and sets change->conflict by it. */
int record_compare(const struct state *state, struct changes *changes, struct error *err);

#endif
