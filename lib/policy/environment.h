/*
 * Which variables does the command get?
 */
#ifndef SBX_POLICY_ENVIRONMENT_H
#define SBX_POLICY_ENVIRONMENT_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * A NULL-terminated vector of "NAME=value" that owns its strings; released by
 * os_vector_free().
 */
char **environment_copy(char *const *envp);

/* Takes a variable out, every time it is there. */
void environment_remove(char **env, const char *name);

/* Sets it, replacing what was there. */
void environment_set(char ***env, const char *name, const char *value);

/*
 * shell_environment_policy, in its order: inherit, default excludes, exclude,
 * set, include_only.  json may be NULL: the defaults, which drop secrets.
 * What codex has for itself is always excluded.
 * Where the variables of loads_code.h must not pass they are excluded as well,
 * so that only "set" can bring one.
 */
int environment_apply_policy(char ***env, const json_t *json, bool drop_loaders, struct error *err);

/* The default excludes: a name that carries a secret. */
bool environment_secret(const char *name, size_t len);

#endif
