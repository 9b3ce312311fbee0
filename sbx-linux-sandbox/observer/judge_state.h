/*
 * What is known while calls are judged?
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_JUDGE_STATE_H
#define SBX_LINUX_SANDBOX_OBSERVER_JUDGE_STATE_H

#include "observer/asking_process.h"
#include "observer/denial_list.h"
#include "observer/plainly_writable.h"
#include "policy/permissions.h"

#include <stdbool.h>

struct judge {
	const struct permissions *permissions;
	const struct view *view;
	struct plain plain;
	struct targets targets;
	struct denials *denials;
	bool pipes_held; /* a protected pipe cannot be written to, as other files cannot */
};

/* The view stays the caller's. */
void judge_begin(struct judge *judge, const struct view *view, struct denials *denials);

/* The program that asks, or NULL. */
const char *judge_program(struct judge *judge, pid_t pid, char path[PATH_MAX]);

#endif
