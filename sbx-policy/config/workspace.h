/*
 * Which directory is the workspace, and may a command run in a directory?
 *
 * The workspace is chosen by whoever starts sbx-policy: -C, or the working
 * directory.  The cwd of a document is the model's choice and is never a root
 * (CVE-2025-59532).
 */
#ifndef SBX_POLICY_CONFIG_WORKSPACE_H
#define SBX_POLICY_CONFIG_WORKSPACE_H

#include "base/error.h"

/* Canonical, to be freed. */
char *workspace_find(const char *directory, struct error *err);

/* An existing directory as its canonical path; `what` names it in the error. */
char *directory_canonical(const char *path, const char *what, struct error *err);

#endif
