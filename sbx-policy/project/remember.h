/*
 * What may every run in a project do besides, because the user said so?
 *
 * Kept in the user's own file, [projects.PATH]: sbx_write, a list of directories,
 * and hosts.
 */
#ifndef SBX_POLICY_PROJECT_REMEMBER_H
#define SBX_POLICY_PROJECT_REMEMBER_H

#include "config/command_line.h"

#include <stdio.h>

/* --remember and --forget: what --add-dir and --allow-host name; printed, a line each. */
int remember(const char *directory, const struct request *request, FILE *out, struct error *err);

#endif
