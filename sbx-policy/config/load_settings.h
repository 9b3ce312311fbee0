/*
 * From the files, the profile and the flags to the settings, in the order of
 * precedence.
 */
#ifndef SBX_POLICY_CONFIG_LOAD_SETTINGS_H
#define SBX_POLICY_CONFIG_LOAD_SETTINGS_H

#include "config/command_line.h"

/* One of the user's own files; 1: read, 0: there is none. */
int settings_read_own(const char *home, const char *name, enum layer layer, struct config *config,
                      struct notes *notes, struct error *err);

/* Completes request->settings for a workspace (canonical). */
int settings_load(struct request *request, const char *workspace, struct error *err);

/*
 * The managed configuration can restrict what may be chosen: a choice outside
 * is an error, a default outside falls back and is noted.
 */
int settings_require(struct settings *settings, struct notes *notes, struct error *err);

/* A permission set that opens everything is danger-full-access by another name. */
int settings_require_set(const struct settings *settings, const struct permissions *permissions,
                         struct notes *notes, struct error *err);

#endif
