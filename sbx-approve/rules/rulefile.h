/*
 * Which rules are in a file, or in all files of a directory?
 */
#ifndef SBX_APPROVE_RULES_RULEFILE_H
#define SBX_APPROVE_RULES_RULEFILE_H

#include "base/error.h"
#include "base/sha256.h"
#include "policy/permissions.h"
#include "rules/rules.h"

#include <jansson.h>
#include <stdbool.h>

/* Reads and adds a file. */
int rules_add_file(struct rules *rules, const char *path, struct error *err);
/* Every *.rules of a directory, by name; a directory that is not there is empty. */
int rules_add_directory(struct rules *rules, const char *path, struct error *err);
/* Every *.rules of the machine, which nobody but root may be able to write. */
int rules_add_system(struct rules *rules, struct error *err);
/* As a directory; the names and the texts that are parsed go into sha, if there are any. */
int rules_read_directory(struct rules *rules, const char *path, struct sha256 *sha,
                         struct error *err);

/*
 * Could a sandbox of this policy have written a file that is to be believed?
 */

/* permissions are those of the policy, path is normal. */
bool within_reach(const json_t *policy, const struct permissions *permissions, const char *path);

#endif
