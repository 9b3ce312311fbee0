#include "program/configured_approver.h"

#include "program/answer.h"
#include "document/osstring.h"
#include "fs/path.h"

json_t *configured_answer(const json_t *doc, const json_t *request, int limit_ms)
{
	const json_t *policy = json_object_get(doc, "policy");
	/* Only the user's and the administrator's configuration can have put it here. */
	const json_t *words = json_object_get(json_object_get(policy, "sbx"), "approver");
	cleanup_vector char **argv = NULL;
	struct error err = {0};

	if (!words)
		return NULL;
	argv = os_vector_get(words, "sbx.approver", &err);
	if (!argv)
		return answer_denied("denied", err.message);
	if (!argv[0] || !path_is_normal(argv[0]))
		return answer_denied("denied", "sbx.approver: not a normalized absolute path");
	return answer_from_argv("sbx.approver", argv, doc, request, limit_ms);
}
