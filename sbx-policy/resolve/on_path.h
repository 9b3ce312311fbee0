/*
 * Which programs are on PATH?
 *
 * Of a hundred that are asked about most are in none of its directories.  A small one is
 * read once; only in a large one is every name looked up.
 */
#ifndef SBX_POLICY_RESOLVE_ON_PATH_H
#define SBX_POLICY_RESOLVE_ON_PATH_H

#include <stdbool.h>

bool is_on_path(const char *program);

#endif
