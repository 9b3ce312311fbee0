/*
 * Which SID stands for the right to write a directory?
 *
 * A random one for each, made once and kept in $CODEX_HOME/cap_sid: entries
 * of an interrupted run are found again by it, and a token made for one
 * workspace is worth nothing in another.
 */
#ifndef SBX_WINTOKEN_CAPABILITY_H
#define SBX_WINTOKEN_CAPABILITY_H

#include "base/error.h"
#include "rules.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * [{"sid","purpose":"workspace"|"root"|"read-only","path"}], the workspace
 * first.  `workspace` is the root that holds the command's directory, or NULL.
 */
json_t *capability_sids(const char *home, const struct rules *rules, const struct rule *workspace,
                        struct error *err);

/* S-1-5-21 and four numbers. */
bool capability_is_sid(const char *text);

#endif
