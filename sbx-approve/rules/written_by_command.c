#include "rules/written_by_command.h"

#include "policy/words.h"

bool within_reach(const json_t *policy, const struct permissions *permissions, const char *path)
{
	int mode = policy_mode(policy);

	/* With the other modes there is no sandbox that could be asking for itself. */
	if (mode != MODE_READ_ONLY && mode != MODE_WORKSPACE_WRITE)
		return false;
	return permissions_resolve(permissions, path, NULL) == ACCESS_WRITE;
}
