/*
 * What does the person see of a question?
 *
 * Every word of it that is not ours is folded by fold.h.
 */
#ifndef SBX_APPROVE_ASK_SCREEN_H
#define SBX_APPROVE_ASK_SCREEN_H

#include "base/fold.h"
#include "grant/grant.h"
#include "question.h"

/* The question and all that is known of it; true when something was cut short. */
bool screen_question(const struct fold *fold, const struct question *q, const json_t *request,
                     bool all);

/* Every single thing of a grant, with a mark where it is more than a place to write to. */
void screen_grant(const struct fold *fold, const struct grant *grant, const json_t *sensitive);

/* The places that the policy hides, each in a row. */
void screen_hidden(const struct fold *fold, const json_t *hidden);

#endif
