/*
 * What is different in a preview?
 *
 * Looked up in what the kernel kept of it, beside what the host has now: a deleted name
 * is a device 0/0, a directory that replaces another has a mark.
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_SCAN_H
#define SBX_LINUX_SANDBOX_CHANGES_SCAN_H

#include "base/error.h"
#include "changes/change.h"
#include "changes/state.h"

/* All changes, in the order of path_compare(). */
int scan(const struct state *state, struct changes *changes, struct error *err);

/* What a path is called below the upper directory of its root. */
const char *below_upper(const struct state *state, const struct change *change);

/* Where a link of the preview leads, as it says; to be freed, or NULL with errno. */
char *link_text(const struct state *state, const struct change *change);

#endif
