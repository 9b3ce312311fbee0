/*
 * Which changed names are one file?
 */
#ifndef SBX_LINUX_SANDBOX_APPLY_SAME_FILES_H
#define SBX_LINUX_SANDBOX_APPLY_SAME_FILES_H

#include "changes/scan.h"

#include <stdint.h>

#define NO_OTHER SIZE_MAX

/*
 * For each change the one whose file it is another name of, to be freed: one whose file
 * stays on the host, if there is any, else the first.  NO_OTHER: it is that one, or alone.
 */
size_t *same_files(const struct changes *changes);

/* The host's file keeps its place and its number. */
bool file_stays(const struct change *change);

#endif
