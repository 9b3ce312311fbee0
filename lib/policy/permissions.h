/*
 * What may be read, written and reached?
 *
 * permissions are the one form of a policy that every backend enforces.
 *
 * The most specific path wins, by component; on one path, none beats write
 * beats read; no match is none.  The order of entries means nothing.
 */
#ifndef SBX_POLICY_PERMISSIONS_H
#define SBX_POLICY_PERMISSIONS_H

#include "base/error.h"
#include "hosts/hosts.h"
#include "policy/words.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* In the order that ties are decided. */
enum access {
	ACCESS_READ,
	ACCESS_WRITE,
	ACCESS_NONE,
};

struct entry {
	char *path; /* normal */
	enum access access;
};

struct permissions {
	struct entry *entries; /* by path_compare(), one per path */
	size_t count;
	enum network network;
	char *network_name; /* whose loopback it is; NULL: the run's own */
	struct hosts hosts;
	char **unix_sockets; /* NULL-terminated; NULL when there are none */
};

extern const char *const access_names[]; /* by enum access */

/* From policy.permissions; refuses relative paths and unknown words. */
int permissions_get(const json_t *json, struct permissions *permissions, struct error *err);

/*
 * The same for a platform.  Of a policy for Windows only the network is read:
 * its paths are sbx-wintoken's to judge.
 */
int permissions_get_for(const char *platform, const json_t *json, struct permissions *permissions,
                        struct error *err);
json_t *permissions_json(const struct permissions *permissions);
void permissions_free(struct permissions *permissions);

/* Keeps the order and the one-per-path rule. */
void permissions_add(struct permissions *permissions, const char *path, enum access access);

/* Replaces the access of every entry at or below path, and adds one for path. */
/* Takes an entry out; nothing when there is none. */
void permissions_remove(struct permissions *permissions, const char *path);
void permissions_force(struct permissions *permissions, const char *path, enum access access);

/* The access of a normal path; *which is the deciding entry or NULL. */
enum access permissions_resolve(const struct permissions *permissions, const char *path,
                                const struct entry **which);

/* The entry for exactly this path, or NULL. */
const struct entry *permissions_find(const struct permissions *permissions, const char *path);

/* Whether anything is writable. */
bool permissions_writes(const struct permissions *permissions);

/* The first entry strictly below a normal path, or NULL. */
const struct entry *permissions_below(const struct permissions *permissions, const char *path);

/* Does entry i, which hides, have something inside that is not hidden? */
bool permissions_reopen(const struct permissions *permissions, size_t i);

/* Does anything at, below or around a normal path remain visible? */
bool permissions_show(const struct permissions *permissions, const char *path);

/*
 * Letters, digits, ".", "_" and "-", 64 at most and no dash first.  What begins with
 * a colon is a session's, and nobody's to say.
 */
bool is_network_name(const char *name);

/* Somebody gave it a name: then it is that one or none. */
bool network_is_named(const struct permissions *permissions);

/* -1 when the word is none of them. */
int access_parse(const char *word);
int network_parse(const char *word);

#endif
