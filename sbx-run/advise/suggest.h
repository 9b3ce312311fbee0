/*
 * Which options would have allowed it?
 */
#ifndef SBX_RUN_ADVISE_SUGGEST_H
#define SBX_RUN_ADVISE_SUGGEST_H

#include "advise/opening_preset.h"
#include "trust/home_files.h"

#include <jansson.h>

struct suggest {
	const json_t *policy;     /* of the document */
	char *workspace;          /* canonical, or NULL */
	bool submodules;          /* the command is about submodules of git */
	bool spelt_home;          /* the command names the home directory in words */
	struct permissions given; /* what is in force */
	struct homes homes;
	struct opened_list presets;
};

/* The document must outlive it. */
void suggest_begin(struct suggest *suggest, const json_t *doc);
void suggest_free(struct suggest *suggest);

/*
 * The options for sbx-run, as a line to paste, that give what `grant` says and
 * let the denied thing happen; NULL when no option can.  grant may be NULL: what
 * was to be made in a home directory is opened itself, and --add-dir makes it.
 */
char *suggest_options(struct suggest *suggest, const json_t *denial, const json_t *grant);

#endif
