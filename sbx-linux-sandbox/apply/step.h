/*
 * What is done to one name of the host, and how is it undone?
 *
 * Each step is one that happens as a whole or not at all, and by the numbers of the
 * files it can be seen whether it happened: so it can be undone at any time, by anybody
 * who finds it in the journal, and twice.
 */
#ifndef SBX_LINUX_SANDBOX_APPLY_STEP_H
#define SBX_LINUX_SANDBOX_APPLY_STEP_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>
#include <sys/stat.h>

enum step_kind {
	STEP_OUT,  /* the old file goes to N.old */
	STEP_IN,   /* N.new comes to its place */
	STEP_SWAP, /* N.new and the old file change places */
	STEP_LINK, /* another name of a file that stays */
	STEP_META, /* mode and times */
	STEPS,
};

struct step {
	enum step_kind kind;
	char *path;
	char *stage; /* the directory; of STEP_LINK, the other name */
	size_t number;
	ino_t old, new;       /* 0: none */
	struct stat was, now; /* type, mode and times; of what goes, and of STEP_META */
};

int step_do(const struct step *step, struct error *err);

enum undone {
	UNDONE,
	UNDONE_BUT_LEFT, /* what it was stays in the stage: its name is somebody else's by now */
	NOT_UNDONE,      /* to be tried again */
};

/* Directories stay open to their owner until step_restore() has been there. */
enum undone step_undo(const struct step *step);
void step_restore(const struct step *step);

/* For the journal, and back; 0, or -1: it is none. */
json_t *step_json(const struct step *step);
int step_get(const json_t *json, struct step *step);
void step_free(struct step *step);

#endif
