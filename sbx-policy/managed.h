/*
 * The administrator's configuration: it outranks every other layer, flags
 * included, so only root may have written it.
 */
#ifndef SBX_POLICY_MANAGED_H
#define SBX_POLICY_MANAGED_H

#include "config.h"
#include "error.h"
#include "notes.h"

/* 0 also when there is no such file; one that cannot be believed is an error. */
int managed_read(struct config *config, struct notes *notes, struct error *err);

#endif
