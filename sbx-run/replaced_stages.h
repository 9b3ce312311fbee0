/*
 * May the programs that --stage names stand in for the stages?
 */
#ifndef SBX_RUN_REPLACED_STAGES_H
#define SBX_RUN_REPLACED_STAGES_H

#include "arguments.h"
#include "trust/trusted_program.h"

/* One that is not replaced has no path. */
struct replaced {
	struct trusted_program stages[STAGE_COUNT];
};

/*
 * Opens what --stage names, and refuses what the command of doc could write,
 * or could have written in its first attempt.
 */
int replaced_open(struct replaced *replaced, const struct arguments *a, const json_t *doc,
                  struct error *err);
void replaced_close(struct replaced *replaced);

bool replaces_any(const struct arguments *a);

#endif
