/*
 * What does the administrator's configuration say?
 *
 * It outranks every other layer, flags included, so only root may have written it.
 */
#ifndef SBX_POLICY_CONFIG_MANAGED_FILE_H
#define SBX_POLICY_CONFIG_MANAGED_FILE_H

#include "base/error.h"
#include "base/warnings.h"
#include "config/config.h"

/* 0 also when there is no such file; one that cannot be believed is an error. */
int managed_read(struct config *config, struct notes *notes, struct error *err);

#endif
