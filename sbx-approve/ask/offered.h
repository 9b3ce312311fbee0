/*
 * Which answers are possible, and what would each of them mean?
 */
#ifndef SBX_APPROVE_ASK_OFFERED_H
#define SBX_APPROVE_ASK_OFFERED_H

#include "question.h"

/*
 * The words, the least first: "approved", "approved_for_session" and "grant_root" (for a
 * patch) where there is a session, "grant" (an answer with one of its own), "denied", "abort".
 * A yes that decide() would refuse is not among them.
 */
json_t *offered_options(const struct question *q, bool grant, bool session);

/* {option: a sentence}. */
json_t *offered_meaning(const struct question *q, const json_t *options, bool grant);

/* "policy", "sandbox" and "network" of a request: where a plain yes would run it. */
void offered_place(json_t *request, const struct question *q, bool grant);

#endif
