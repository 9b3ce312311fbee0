/*
 * Does a person trust the project in a directory?
 */
#ifndef SBX_POLICY_PROJECT_PROJECT_TRUST_H
#define SBX_POLICY_PROJECT_PROJECT_TRUST_H

#include "base/error.h"
#include "base/sha256.h"
#include "config/config.h"
#include "git/repository.h"

#include <stdio.h>

/*
 * The nearest directory that has an entry, from the workspace up to the root
 * of its repository; then the main checkout of a linked worktree, which lends
 * its level and nothing that it says.  Entries count by their canonical path
 * alone: a link that somebody can turn proves nothing.
 */
void trust_find(struct trust *trust, const struct config *config,
                const struct repository *repository, const char *workspace);

/* Which directory a decision about the workspace is written down for. */
const char *trust_key(const struct repository *repository, const char *workspace);

/*
 * What do a project's rules allow, and which text is that?
 *
 * sbx-approve reads rules, so it is asked: it parses what it digests.
 */

/* The lines of `sbx-approve --project-rules` go to out; "" without any rules. */
int rules_digest(char digest[SHA256_TEXT_SIZE], const char *project, const char *home, FILE *out,
                 struct error *err);

#endif
