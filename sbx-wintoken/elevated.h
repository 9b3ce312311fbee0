/*
 * What would the elevated backend do?
 *
 * It runs a command as another user, whom an administrator made, so that reading
 * and the network can be limited as well.  The plan is data: users, firewall rules,
 * directories.  Nothing here makes such users, so nothing carries it out.
 */
#ifndef SBX_WINTOKEN_ELEVATED_H
#define SBX_WINTOKEN_ELEVATED_H

#include "base/error.h"

#include <jansson.h>

/* From a document that asks for this level; a new reference. */
json_t *elevated_plan(const json_t *doc, struct error *err);

#endif
