/*
 * What does a policy of codex say, and how is that said to sbx-run?
 *
 * What is not understood might have meant less than what would be given: it is
 * refused.
 */
#ifndef SBX_LINUX_SANDBOX_CODEX_SAID_H
#define SBX_LINUX_SANDBOX_CODEX_SAID_H

#include "base/error.h"
#include "base/strings.h"

#include <jansson.h>
#include <stdbool.h>

/* An option of sbx-run. */
void said_option(struct strings *words, const char *option, const char *value);

/* --config KEY=VALUE; a JSON string, or list of them, is TOML as well. */
void said_config(struct strings *words, const char *key, const json_t *value);

/* The member is this word; is not there. */
bool said_is(const json_t *value, const char *word);
bool said_nothing(const json_t *value);

/* -1: something else was expected there. */
int said_wrong(struct error *err, const char *option, const char *where, const char *expected);

/* A truth; `otherwise` where there is none. */
int said_truth(const json_t *object, const char *option, const char *name, bool otherwise,
               bool *out, struct error *err);

/* -1: the object has a member that the list, which ends with NULL, does not name. */
int said_only(json_t *object, const char *option, const char *const *known, struct error *err);

#endif
