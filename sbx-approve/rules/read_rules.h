/*
 * Which rules does a text contain?
 */
#ifndef SBX_APPROVE_RULES_READ_RULES_H
#define SBX_APPROVE_RULES_READ_RULES_H

#include "base/error.h"
#include "rules/rules.h"

/* Adds the rules of a text; -1 names the line.  Examples are checked. */
int rules_add(struct rules *rules, const char *text, size_t len, const char *file,
              struct error *err);

#endif
