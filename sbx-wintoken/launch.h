/*
 * How is a plan carried out?  On Windows only; elsewhere each of these
 * refuses.
 */
#ifndef SBX_WINTOKEN_LAUNCH_H
#define SBX_WINTOKEN_LAUNCH_H

#include <stdbool.h>

struct launch {
	const char *plan_json; /* the plan itself, or */
	const char *plan_file; /* the file that has it */
	bool unenforced;       /* although the system holds none of it */
	char **argv;           /* the command; at least one word */
};

/* The exit status: the command's own, or 124 to 127 as sbx-run has them. */
int launch(const struct launch *launch);

/* Lists the directories that everybody may write, one JSON line each. */
int audit(char *const *places);

/* argv as the system gave it, without loss; before anything else. */
void launch_arguments(int *argc, char ***argv);

#endif
