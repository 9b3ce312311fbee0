/*
 * Which program is a stage, with which words, and how does it start?
 */
#ifndef SBX_RUN_STAGE_PROGRAM_H
#define SBX_RUN_STAGE_PROGRAM_H

#include "arguments.h"
#include "trust/trusted_program.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

/* The programs that --stage names; a stage that is not replaced has no path. */
struct replaced {
	struct trusted_program stages[STAGE_COUNT];
};

bool replaces_any(const struct arguments *a);

/*
 * Opens what --stage names, and refuses what the command of doc could write,
 * or could have written in its first attempt.
 */
int replaced_open(struct replaced *replaced, const struct arguments *a, const json_t *doc,
                  struct error *err);
void replaced_close(struct replaced *replaced);

/* sbx-policy [--explain] WORDS... -- COMMAND...; the words stay the caller's. */
char **policy_argv(const struct arguments *a, const char *first);
char **stage_argv(const struct arguments *a, enum stage_id stage);

/* Between two ends of pipes: ours, or what stands in for it. */
pid_t stage_start(const struct arguments *a, const struct replaced *replaced, enum stage_id stage,
                  char **argv, int in, int out, int said, struct error *err);

#endif
