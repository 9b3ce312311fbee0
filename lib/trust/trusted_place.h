/*
 * May a place that a variable names become writable?
 *
 * A variable is nobody's decision: an .env file of a project, a wrapper or a
 * shell long ago may have set it.  It opens only what would be lost without
 * harm.
 */
#ifndef SBX_TRUST_TRUSTED_PLACE_H
#define SBX_TRUST_TRUSTED_PLACE_H

#include "base/error.h"
#include "fs/followed_path.h"
#include "policy/permissions.h"

enum place_use {
	USE_TEMPORARY, /* $TMPDIR */
	USE_CACHE,     /* $PIP_CACHE_DIR and its like */
};

/*
 * Why the directory at the end of a trail may not become writable, or NULL: it
 * must be a directory of this user's (a temporary one may be root's, if it is
 * sticky) that nothing else lives in.  Not a home directory, keys, start-up
 * files, settings, a repository, sbx's own, the system's, or above any of
 * these or of another writable root; not over a link that the command could
 * turn; without programs and settings in it; empty, or named for its use.  `tool`
 * is a word that names a cache as well as "cache" does.
 */
const char *place_not_writable(const struct trail *trail, enum place_use use, const char *tool,
                               const struct permissions *permissions);

/* Why nothing at or below this path is ever temporary or a cache, or NULL. */
const char *place_is_kept(const char *path);

#endif
