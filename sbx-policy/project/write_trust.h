/*
 * --trust and --untrust: how does a decision get into the user's file?
 */
#ifndef SBX_POLICY_PROJECT_WRITE_TRUST_H
#define SBX_POLICY_PROJECT_WRITE_TRUST_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * About the project in a directory.  To trust is to have looked: what the
 * project's files widen is written to out, a line each, and their digests are
 * kept.  The user's file keeps its comments and order, and is replaced as a
 * whole or not at all.
 */
int decide_trust(const char *directory, bool trusted, FILE *out, struct error *err);

#endif
