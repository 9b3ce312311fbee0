/*
 * Which variables turn a program that is allowed to run into another one?
 */
#ifndef SBX_POLICY_LOADS_CODE_H
#define SBX_POLICY_LOADS_CODE_H

#include <stdbool.h>
#include <stddef.h>

/* A variable that names code for a loader, an interpreter or a tool to run. */
bool loader_variable(const char *name, size_t len);

#endif
