/*
 * Where is $CODEX_HOME, and is it safe from the command?
 */
#ifndef SBX_WINTOKEN_CODEX_HOME_H
#define SBX_WINTOKEN_CODEX_HOME_H

#include "base/error.h"
#include "rules.h"
#include "spelling/winpath.h"

#include <jansson.h>

struct home {
	char *native;          /* as this system opens it */
	struct winpath folder; /* as Windows does */
	struct winpath state;  /* what the launcher keeps below it */
};

/*
 * CODEX_HOME, else .codex in USERPROFILE or HOME: of this program's
 * environment, else of "exec", else of "command"; sbx-wrap gives us none.
 */
int home_find(const json_t *doc, struct home *home, struct error *err);
void home_free(struct home *home);

/* Refuses a home that the policy makes writable: it holds the SIDs. */
int home_check(const struct home *home, const struct rules *rules, struct error *err);

#endif
