#include "temporary.h"

#include "cleanup.h"
#include "path.h"
#include "tmpdir.h"
#include "workspace.h"

#include <string.h>

static char *slash_tmp(void)
{
	struct error none = {0};
	char *tmp = directory_canonical("/tmp", "/tmp", &none);

	if (tmp && path_depth(tmp) == 0) {
		free(tmp);
		return NULL;
	}
	return tmp;
}

void grant_slash_tmp(struct policy *policy, const char *source, struct root_list *granted)
{
	cleanup_free char *tmp = slash_tmp();

	if (!tmp)
		return;
	policy_add(policy, tmp, ACCESS_WRITE, source, false);
	root_list_add(granted, tmp);
}

void grant_tmpdir(struct policy *policy, const char *source, struct root_list *granted)
{
	const char *value = getenv("TMPDIR");
	cleanup_free char *tmp = NULL;
	cleanup_free char *reason = NULL;
	cleanup_free char *path = NULL;

	if (!value || !value[0])
		return;
	path = tmpdir_grant(policy, value, &reason);
	if (reason)
		notes_add(&policy->notes, "%s", reason);
	tmp = path ? slash_tmp() : NULL;
	/* What was excluded by name does not come back under another. */
	if (path && tmp && path_contains(path, tmp)) {
		notes_add(&policy->notes, "TMPDIR: \"%s\": /tmp is excluded; not made writable",
		          value);
	} else if (path) {
		policy_add(policy, path, ACCESS_WRITE, source, false);
		root_list_add(granted, path);
	}
}
