/*
 * Which profile does a document ask for?
 */
#ifndef SBX_SEATBELT_REQUEST_H
#define SBX_SEATBELT_REQUEST_H

#include "profile.h"

#include <jansson.h>

/* `doc` has "policy"; the home comes from "exec", else from "command". */
int profile_make(json_t *doc, struct profile *profile, struct error *err);

#endif
