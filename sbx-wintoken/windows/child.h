/*
 * How does the command run as a process?
 *
 * In a job that ends with us, with three handles, never running a moment
 * outside of either.
 */
#ifndef SBX_WINTOKEN_CHILD_H
#define SBX_WINTOKEN_CHILD_H

#include "windows/executable.h"
#include "read_plan.h"
#include "windows/system.h"

#include <stdbool.h>

struct ended {
	bool timed_out;
	DWORD code;
};

/* Starts it, waits for it, and ends everything that it started. */
int child_run(HANDLE token, const struct orders *orders, const struct executable *executable,
              char **env, struct ended *ended, struct error *err);

#endif
