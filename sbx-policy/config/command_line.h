/*
 * Which words does sbx-policy take, and do they agree?
 */
#ifndef SBX_POLICY_CONFIG_COMMAND_LINE_H
#define SBX_POLICY_CONFIG_COMMAND_LINE_H

#include "config/request.h"

/* -1 with err: wrong usage. */
int request_read(struct request *request, int argc, char **argv, struct notes *notes,
                 struct error *err);

/* Chooses a mode, a permission set or "profile:NAME" besides, as an option would. */
int request_choose(struct request *request, const char *name, struct error *err);

void request_free(struct request *request);

/* What the flags and the rest of the settings contradict each other in. */
int settings_agree(const struct settings *settings, struct error *err);

#endif
