/*
 * Which decisions does a session remember?  In memory, and only approvals for
 * the session and granted directories.
 */
#ifndef SBX_APPROVE_SESSION_REMEMBERED_H
#define SBX_APPROVE_SESSION_REMEMBERED_H

#include <jansson.h>
#include <stdbool.h>

struct store {
	json_t *approvals; /* from the bind, as canonical text, to what is remembered */
	json_t *roots;     /* {"root","bind"}: directories whose files such patches may change */
};

void store_begin(struct store *store);
void store_free(struct store *store);

/* What was approved for every one of the binds; a new reference, or NULL. */
json_t *store_find(const struct store *store, const json_t *binds, const json_t *files);
/*
 * `wanted` is what was offered, to which a plain yes is a yes; may be NULL.  What
 * is given `here` was asked in this session, and widens it (scope.h).
 */
void store_add(struct store *store, const json_t *binds, const json_t *answer, const json_t *wanted,
               bool here);

/* A list for people. */
json_t *store_list(const struct store *store);
/* How many were forgotten; NULL: all. */
size_t store_revoke(struct store *store, const char *key);

#endif
