/*
 * What do a project's rules allow, and which text is that?
 *
 * sbx-approve reads rules, so it is asked: it parses what it digests.
 */
#ifndef SBX_POLICY_PROJECT_RULES_DIGEST_H
#define SBX_POLICY_PROJECT_RULES_DIGEST_H

#include "base/error.h"
#include "base/sha256.h"

#include <stdio.h>

/* The lines of `sbx-approve --project-rules` go to out; "" without any rules. */
int rules_digest(char digest[SHA256_TEXT_SIZE], const char *project, const char *home, FILE *out,
                 struct error *err);

#endif
