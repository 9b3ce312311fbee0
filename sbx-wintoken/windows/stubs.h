/*
 * Which programs stand in for network tools?
 */
#ifndef SBX_WINTOKEN_STUBS_H
#define SBX_WINTOKEN_STUBS_H

#include "read_plan.h"
#include "windows/system.h"

int stubs_write(const struct orders *orders, struct error *err);

#endif
