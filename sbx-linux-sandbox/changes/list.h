/*
 * Which changes are there, for a program?
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_LIST_H
#define SBX_LINUX_SANDBOX_CHANGES_LIST_H

#include "changes/scan.h"

#include <jansson.h>

/* Longer lists are cut, and say so; what is warned of is cut last, each reason by itself. */
#define LIST_MAX 10000

/* {"list":[{"kind","path","type",...}],"added":N,"changed":N,"deleted":N,"warned":N,"cut":true} */
json_t *changes_json(const struct state *state, const struct changes *changes);

#endif
