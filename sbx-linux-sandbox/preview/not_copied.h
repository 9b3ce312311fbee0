/*
 * What in a writable directory could an overlay not show as it is?
 *
 * File systems that are mounted in it, and files of owners or groups that do not exist
 * in the sandbox: the kernel refuses to copy those.  Said before anything runs.
 */
#ifndef SBX_LINUX_SANDBOX_PREVIEW_NOT_COPIED_H
#define SBX_LINUX_SANDBOX_PREVIEW_NOT_COPIED_H

#include "request.h"

int refuse_not_copied(const struct request *request, const char *lower, struct error *err);

#endif
