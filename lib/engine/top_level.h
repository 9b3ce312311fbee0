/*
 * What is directly below /, where an engine begins with an empty root?
 */
#ifndef SBX_ENGINE_TOP_LEVEL_H
#define SBX_ENGINE_TOP_LEVEL_H

#include "base/error.h"
#include "base/strings.h"
#include "policy/permissions.h"

#include <stdbool.h>

/*
 * Adds a read entry for each directory and file that has none and that this user
 * can look into (readable: all of / may be read); and to links, as name and
 * target, the links that a merged /usr has, whose target is shown.
 */
int top_level_add(struct permissions *permissions, bool readable, struct strings *links,
                  struct error *err);

#endif
