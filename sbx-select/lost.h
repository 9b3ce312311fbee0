/*
 * Which guarantees can this machine not give, and what would cure that?
 */
#ifndef SBX_SELECT_LOST_H
#define SBX_SELECT_LOST_H

#include "base/error.h"
#include "machine.h"
#include "policy/permissions.h"

#include <jansson.h>

/* {"guarantee","why","cure"}, appended to list. */
void lost_add(json_t *list, const char *guarantee, const char *why, const char *cure);

/* What this machine's mounts and namespaces do not give. */
json_t *lost_with_bubblewrap(const struct machine *machine);

/* What mounts and namespaces would have given beyond Landlock. */
json_t *lost_with_landlock(const struct machine *machine, const struct permissions *permissions,
                           bool brokered);

/* What the host's network reaches besides the world; list may be NULL. */
json_t *lost_with_network_on(const struct machine *machine, bool nested, json_t *list);

/* What a proxy does not give of a network by name; list may be NULL, and stays so if nothing is. */
json_t *lost_with_proxy(const struct permissions *permissions, json_t *list);

/* Why there is no Linux sandbox at all; fit is what landlock_fits() said. */
json_t *lost_on_linux(const struct machine *machine, const struct error *fit);

#endif
