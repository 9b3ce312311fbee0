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

/* What in a grant must not be given unseen: {path: why}. */
json_t *grant_sensitive(const struct grant *grant);

#endif
