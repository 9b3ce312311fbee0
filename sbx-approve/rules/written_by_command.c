#include "rules/written_by_command.h"

#include <string.h>

bool within_reach(const json_t *policy, const struct permissions *permissions, const char *path)
{
	const json_t *sandbox_policy = json_object_get(policy, "sandbox_policy");
	const char *mode = json_string_value(json_object_get(sandbox_policy, "type"));

	/* With the other modes there is no sandbox that could be asking for itself. */
	if (!mode || (strcmp(mode, "read-only") != 0 && strcmp(mode, "workspace-write") != 0))
		return false;
	return permissions_resolve(permissions, path, NULL) == ACCESS_WRITE;
}
