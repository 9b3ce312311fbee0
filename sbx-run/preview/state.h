/*
 * Where is what a preview keeps, and whose is it?
 *
 *	KEPT/previews		the user's, 0700; never seen inside
 *	    ID			one for each preview, locked while its command runs
 *	        about		the command, its policy, and the options that it had
 *	        0, 1, ...	what was written, for each writable root; the helper's
 *	        changes		what the host had then; the helper's
 */
#ifndef SBX_RUN_PREVIEW_STATE_H
#define SBX_RUN_PREVIEW_STATE_H

#include "arguments.h"

#include <jansson.h>

#define PREVIEW_ID_SIZE 9
#define PREVIEWS_MAX    100

struct preview_state {
	char *place; /* the user's; NULL: no preview */
	char id[PREVIEW_ID_SIZE];
	char *path;
	int lock; /* of it, while the command runs; -1 */
};

/* The user's place, made if need be; NULL with err. */
char *previews_place(struct error *err);

/* A new one, for a document that is about to run; locked. */
int preview_begin(struct preview_state *state, const json_t *doc, const struct arguments *arguments,
                  struct error *err);

/* The command has ended. */
void preview_unlock(struct preview_state *state);
void preview_free(struct preview_state *state);

/* One that was kept, by its ID or by the beginning of it. */
int preview_find(struct preview_state *state, const char *id, struct error *err);

/* What is known about it; NULL with err.  A new reference. */
json_t *preview_about(const struct preview_state *state, struct error *err);

/* Of all previews, sorted: vectors of IDs, to be freed by os_vector_free(). */
char **previews_list(const char *place, struct error *err);

#endif
