/*
 * What is the least that would have to be given for what was denied?
 */
#ifndef SBX_APPROVE_ASK_LEAST_GRANT_H
#define SBX_APPROVE_ASK_LEAST_GRANT_H

#include <jansson.h>

/* A grant, or NULL when the denials do not say enough, or nothing would help. */
json_t *denials_grant(const json_t *denials);

/*
 * The grant without the paths that the policy hides: an entry with "none"
 * outlasts every approval.  NULL when nothing is left; takes the reference.
 */
json_t *grant_without_hidden(const json_t *policy, json_t *grant);

/* What in a grant must not be given unseen: {path: why}. */
json_t *grant_sensitive(const json_t *grant);

#endif
