/*
 * What was denied?  Each thing once, a bounded number of them, and each with
 * the options that would have allowed it.
 */
#ifndef SBX_RUN_REPORT_DENIALS_H
#define SBX_RUN_REPORT_DENIALS_H

#include "advise/suggest.h"
#include "supervise/event_output.h"

#include <jansson.h>
#include <stdbool.h>

/* A flood of them is of no use to anybody. */
#define DENIALS_MAX 1000

struct denials {
	struct suggest suggest;
	struct sink *sink;  /* told as they come */
	json_t *list;       /* for result.denials */
	json_t *things;     /* from the text of a thing to its place in the list */
	json_t *ids;        /* from the observer's number to [place, count] */
	json_int_t dropped; /* that are not in the list */
	bool observed;      /* somebody looked */
	json_t *unobserved; /* why nobody did, or NULL */
	json_t *reached;    /* for result.network, or NULL */
};

/* The document must outlive it. */
void denials_begin(struct denials *denials, const json_t *doc, struct sink *sink);
void denials_free(struct denials *denials);

/* An event of the helper's; others than those about denials are passed over. */
void denials_take(struct denials *denials, const char *name, json_t *event);

#endif
