/*
 * requirements.toml of codex: what does each of its keys mean here?
 *
 * A key that nobody knows, or that cannot be enforced, is an error: somebody
 * relies on it.
 */
#ifndef SBX_POLICY_CONFIG_REQUIREMENTS_FILE_H
#define SBX_POLICY_CONFIG_REQUIREMENTS_FILE_H

#include "base/error.h"
#include "base/complain.h"
#include "config/config.h"

/* Merged as the managed layer: "requirements", and sets and features of the administrator. */
int requirements_read(int fd, const char *path, struct config *config, struct notes *notes,
                      struct error *err);

#endif
