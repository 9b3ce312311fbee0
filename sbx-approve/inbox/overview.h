/*
 * What stands on the screen of an inbox?
 *
 * Every word of it that is not ours is folded by fold.h.
 */
#ifndef SBX_APPROVE_INBOX_OVERVIEW_H
#define SBX_APPROVE_INBOX_OVERVIEW_H

#include "base/fold.h"

#include <jansson.h>

/* As many as have a key. */
#define ROWS_WITH_KEYS 9

/* The open questions, what is given, the newest answers; note: what has just happened, or NULL. */
void overview_show(const struct fold *fold, const json_t *overview, const char *note);

/* What is given until the session ends, from the row `first` on, each with a key. */
void overview_given(const struct fold *fold, const json_t *given, size_t first);

/* All of one. */
void overview_one_given(const struct fold *fold, const json_t *one);

/* What the keys of the list do. */
void overview_help(const struct fold *fold);

#endif
