/*
 * Which entries on directories let the token write, and keep it from writing?
 *
 * Set for the run, taken away after it.
 */
#ifndef SBX_WINTOKEN_RIGHTS_H
#define SBX_WINTOKEN_RIGHTS_H

#include "access/journal.h"
#include "read_plan.h"
#include "windows/system.h"

#include <stdbool.h>

struct rights {
	struct journal journal;
	HANDLE *pins; /* what has an entry stays where it is */
	size_t pin_count;
};

/* `unenforced`: the system may forget them. */
int rights_begin(struct rights *rights, const struct orders *orders, bool unenforced,
                 struct error *err);
int rights_end(struct rights *rights, struct error *err);

#endif
