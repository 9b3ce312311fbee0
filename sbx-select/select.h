/*
 * Which sandbox does this command get?
 */
#ifndef SBX_SELECT_SELECT_H
#define SBX_SELECT_SELECT_H

#include "base/error.h"
#include "machine.h"

#include <jansson.h>

/* Sets "sandbox". */
int select_sandbox(json_t *doc, const struct machine *machine, struct error *err);

#endif
