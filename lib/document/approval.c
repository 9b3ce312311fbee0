#include "document/approval.h"

#include <string.h>

/* Every other word, known or not, means that it may not run. */
static const char *const running[] = {"skip", "approved", "approved_for_session"};

int approval_check(const json_t *doc, struct error *err)
{
	const json_t *approval = json_object_get(doc, "approval");
	const char *decision = json_string_value(json_object_get(approval, "decision"));
	const char *reason = json_string_value(json_object_get(approval, "reason"));

	if (!json_is_object(approval))
		return error_set(
		        err, EXIT_INPUT, "no-approval",
		        "approval: missing: the document has not been through sbx-approve");
	for (size_t i = 0; decision && i < sizeof(running) / sizeof(running[0]); i++)
		if (strcmp(decision, running[i]) == 0)
			return 0;
	return error_set(err, EXIT_DENIED, "not-approved", "not approved: %s",
	                 reason     ? reason
	                 : decision ? decision
	                            : "approval.decision is missing");
}

int approval_check_wrap(const json_t *doc, const char *type, struct error *err)
{
	const json_t *sandbox = json_object_get(doc, "sandbox");
	const char *chosen = json_string_value(json_object_get(sandbox, "type"));

	if (!json_is_object(json_object_get(doc, "policy")))
		return error_set(err, EXIT_INPUT, "missing-member",
		                 "policy: missing: the document has not been through sbx-policy");
	if (sandbox && (!chosen || strcmp(chosen, type) != 0))
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "sandbox.type: \"%s\": this is the wrap of %s",
		                 chosen ? chosen : "(missing)", type);
	return json_object_get(doc, "approval") ? approval_check(doc, err) : 0;
}

bool approval_grants_no_sandbox(const json_t *doc)
{
	const json_t *grant = json_object_get(json_object_get(doc, "approval"), "grant");
	const char *sandbox = json_string_value(json_object_get(grant, "sandbox"));

	return sandbox && strcmp(sandbox, "none") == 0;
}
