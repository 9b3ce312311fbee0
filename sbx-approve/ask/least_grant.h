/*
 * What is the least that would have to be given for what was denied?
 */
#ifndef SBX_APPROVE_ASK_LEAST_GRANT_H
#define SBX_APPROVE_ASK_LEAST_GRANT_H

#include "grant/grant.h"

/* Nothing when the denials do not say enough, or nothing would help. */
void denials_grant(const json_t *denials, struct grant *grant);

/* Takes out the paths that the policy hides: an entry with "none" outlasts every approval. */
void grant_without_hidden(const json_t *policy, struct grant *grant);

/*
 * Of a patch: its files outside the writable roots.  A protected name is not
 * opened by a yes that does not name it.
 */
void patch_grant(const json_t *doc, struct grant *grant);

/*
 * command.additional_permissions, without what the policy gives already and what
 * it hides; nothing where no sandbox holds the command.  One that is none asks
 * for nothing: question_build() has refused it.
 */
void additional_grant(const json_t *doc, struct grant *grant);

/* Leaves of a grant what was asked for, word for word. */
void grant_intersect(struct grant *grant, const struct grant *wanted);

/* One of them would take a home directory, which is never the least and so not offered. */
bool denials_want_home(const json_t *denials);

/* What in a grant must not be given unseen: {path: why}. */
json_t *grant_sensitive(const struct grant *grant);

#endif
