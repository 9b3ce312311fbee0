/*
 * Where is the user's own configuration, and can that be right?
 */
#ifndef SBX_TRUST_SETTINGS_HOME_H
#define SBX_TRUST_SETTINGS_HOME_H

#include "trust/could_write.h"

#include <stdbool.h>

/* $CODEX_HOME, or .codex in $HOME; NULL when neither names a place. */
char *settings_home(void);

/*
 * It can be believed: nobody else can write it, and it is not in /tmp.
 *
 * A repository that can make a tool set CODEX_HOME to itself would bring its
 * own configuration along (CVE-2025-61260): refused, unless it is the place
 * where everybody has it.  `project` is canonical; NULL: none.
 */
int settings_home_check(const char *project, struct error *err);

/* The place that a variable names is refused where the command of this run could write. */
int settings_home_reach(const struct could_write *w, struct error *err);

/*
 * Where are the things that decide about the next run: the programs of sbx, the
 * user's configuration, the session?
 */

/*
 * The i-th such directory, as named or canonical, to be freed; NULL where there
 * is none, for all i below OWN_PLACES.
 */
#define OWN_PLACES 8
char *own_place(unsigned i);

/*
 * The path is one of these, or in a user's place for private directories
 * (slash_tmp.h), or lies in one: nothing ever opens it.
 */
bool inside_own_place(const char *path);

#endif
