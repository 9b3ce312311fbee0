/*
 * What does the administrator say?
 *
 * Three files in /etc/codex, each believed only when nobody but root can have
 * written it: config.toml, below the user's own; managed_config.toml, above
 * every flag; requirements.toml, what may be chosen at all.
 */
#ifndef SBX_POLICY_CONFIG_MANAGED_FILE_H
#define SBX_POLICY_CONFIG_MANAGED_FILE_H

#include "base/error.h"
#include "base/complain.h"
#include "config/config.h"

/* config.toml; a file that does not exist says nothing. */
int system_read(struct config *config, struct notes *notes, struct error *err);

/* The other two. */
int managed_read(struct config *config, struct notes *notes, struct error *err);

/*
 * Puts them above every other layer.  A permission set of the administrator's is what
 * the administrator wrote and no more: a line that others add to it would widen it.
 */
int managed_merge(struct config *config, const struct config *managed, struct error *err);

#endif
