/*
 * Which places does the policy hide from every run, and may this one see them?
 *
 * An entry with access "none" outlasts every approval: outside the sandbox
 * nothing hides it, so a run there is refused unless whoever approved it named
 * every one of them: "grant":{"sandbox":"none","none":[PLACE...]}.
 */
#ifndef SBX_POLICY_HIDDEN_H
#define SBX_POLICY_HIDDEN_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

/* The "none" entries and the patterns of hidden names: a new list, maybe empty. */
json_t *hidden_places(const json_t *policy);

/* Does grant.none name all of them? */
bool hidden_are_named(const json_t *hidden, const json_t *named);

/* The administrator hides some: then nobody can name them away. */
bool hidden_is_final(const json_t *policy);

/* One line for a person: which of them, the first few. */
char *hidden_words(const json_t *hidden);

/* EXIT_DENIED for a document that would run without a sandbox and has not named them. */
int hidden_check(const json_t *doc, struct error *err);

#endif
