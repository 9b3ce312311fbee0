/*
 * What may a project's own rules say?
 *
 * They are text of whoever wrote the project.  They can be stricter than the
 * user's at any time; they allow only as somebody saw them.
 */
#ifndef SBX_APPROVE_RULES_PROJECT_RULES_H
#define SBX_APPROVE_RULES_PROJECT_RULES_H

#include "base/error.h"
#include "rules/rules.h"

#include <stdio.h>

/*
 * Adds .codex/rules of the project at root.  `digest` is of the rules that were
 * looked at when the project was trusted; NULL: none were.
 */
int project_rules_add(struct rules *rules, const char *root, const char *digest, struct error *err);

/*
 * For sbx-policy --trust: the digest on the first line, or "none" without any
 * file, then a line for all that allows something.
 */
int project_rules_print(const char *root, FILE *out, struct error *err);

#endif
