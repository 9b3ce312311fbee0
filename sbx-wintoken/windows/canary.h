/*
 * Does this system hold a restricted token?
 *
 * Tried before the command starts, with its own token, on files made for it:
 * a system that lets through what the token forbids (wine, a patched kernel,
 * an odd file system) gets no command to run.
 */
#ifndef SBX_WINTOKEN_CANARY_H
#define SBX_WINTOKEN_CANARY_H

#include "read_plan.h"
#include "windows/system.h"

int canary_try(HANDLE token, const struct orders *orders, struct error *err);

#endif
