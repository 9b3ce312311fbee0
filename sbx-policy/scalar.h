/*
 * The value of -c KEY=VALUE: true, false, "text", 'text', or a list of texts,
 * written as TOML writes them.
 */
#ifndef SBX_POLICY_SCALAR_H
#define SBX_POLICY_SCALAR_H

#include "error.h"

#include <jansson.h>

/* A new reference; `key` names the value in the error. */
json_t *scalar_read(const char *key, const char *text, struct error *err);

#endif
