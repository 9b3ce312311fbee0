#include "configured.h"

#include "answer.h"
#include "cleanup.h"
#include "memory.h"
#include "osstring.h"
#include "path.h"
#include "reach.h"

#include <stdlib.h>

/*
 * The file that a path leads to.  NULL when a sandbox of this policy can write
 * it, or the path to it: what is asked about would answer for itself.
 */
static char *out_of_reach(const char *path, const json_t *policy)
{
	struct error ignored;
	cleanup_free char *real = path_canonical(path, &ignored);
	struct permissions permissions;
	bool reached;

	if (!real || !path_is_normal(path) ||
	    permissions_get(json_object_get(policy, "permissions"), &permissions, &ignored) < 0)
		return NULL;
	reached = within_reach(policy, &permissions, path) ||
	          within_reach(policy, &permissions, real);
	permissions_free(&permissions);
	return reached ? NULL : keep_ptr(real);
}

json_t *configured_answer(const json_t *policy, const json_t *request, int limit_ms)
{
	/* Only the user's and the administrator's configuration can have put it here. */
	const json_t *words = json_object_get(json_object_get(policy, "sbx"), "approver");
	cleanup_vector char **argv = NULL;
	struct error err = {0};
	char *real;

	if (!words)
		return NULL;
	argv = os_vector_get(words, "sbx.approver", &err);
	if (!argv)
		return answer_denied("denied", err.message);
	/* The working directory is the project's, and so may be a directory of PATH. */
	if (!argv[0] || argv[0][0] != '/')
		return answer_denied("denied", "sbx.approver: not an absolute path");
	real = out_of_reach(argv[0], policy);
	if (!real)
		return answer_denied("denied",
		                     "sbx.approver: missing, or the sandbox could write it");
	/* What was looked at is what is executed, whatever becomes of links. */
	free(argv[0]);
	argv[0] = real;
	return answer_from_argv(argv, request, limit_ms);
}
