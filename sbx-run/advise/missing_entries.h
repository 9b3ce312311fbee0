/*
 * What is there to add to a permission set, so that nothing is denied again?
 */
#ifndef SBX_RUN_ADVISE_MISSING_ENTRIES_H
#define SBX_RUN_ADVISE_MISSING_ENTRIES_H

#include "advise/suggest.h"

#include <jansson.h>

struct lesson {
	struct suggest *suggest;
	json_t *write, *read; /* paths, as text */
	json_t *presets;      /* names */
	json_t *sockets;
	json_t *hosts;
	json_t *limits;   /* by name, as text: what would have been enough */
	json_t *network;  /* a word, or NULL */
	json_t *unsaid;   /* lines about what no table can say */
	json_t *doubtful; /* [{"list","path","why"}]: sensitive places */
};

void lesson_begin(struct lesson *lesson, struct suggest *suggest);
void lesson_free(struct lesson *lesson);

/* Takes the denials of a result, then puts what belongs together into directories. */
void lesson_take(struct lesson *lesson, const json_t *denials);

#endif
