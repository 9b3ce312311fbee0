#include "program/answer.h"

#include "program/ask_program.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "grant/grant.h"

#include <string.h>

const char *answer_decision(const json_t *answer)
{
	static const char *const known[] = {"approved", "approved_for_session", "denied", "abort"};
	const char *word = json_string_value(json_object_get(answer, "decision"));

	for (size_t i = 0; word && i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(word, known[i]) == 0)
			return known[i];
	return NULL;
}

bool answer_approves(const json_t *answer)
{
	const char *decision = answer_decision(answer);

	return decision && strncmp(decision, "approved", 8) == 0;
}

json_t *answer_denied(const char *decision, const char *why)
{
	return xjson(json_pack("{s:s,s:o,s:b}", "decision", decision, "reason", os_string(why),
	                       "failed", 1));
}

static bool is_root(const json_t *root)
{
	return json_is_string(root) && path_is_normal(json_string_value(root)) &&
	       strlen(json_string_value(root)) == json_string_length(root);
}

/* What is wrong with it, or NULL. */
static const char *fault(const json_t *answer)
{
	const json_t *grant = json_object_get(answer, "grant");
	const json_t *root = json_object_get(answer, "grant_root");
	const json_t *rule = json_object_get(answer, "rule");
	cleanup_grant struct grant given = GRANT_NOTHING;
	struct error err = {0};

	if (!json_is_object(answer))
		return "the approver's answer is not a JSON object";
	if (!answer_decision(answer))
		return "the approver's answer has no known decision";
	if (grant && !json_is_null(grant) && grant_get(grant, &given, &err) < 0)
		return "the approver's answer has a grant that cannot be given";
	if (root && !json_is_null(root) && !is_root(root))
		return "the approver's answer has a grant_root that is not an absolute path";
	if (rule && !json_is_null(rule) && !json_is_string(rule))
		return "the approver's answer has a rule that is not a text";
	return NULL;
}

json_t *answer_checked(json_t *answer)
{
	const char *wrong = fault(answer);

	return wrong ? answer_denied("denied", wrong) : json_incref(answer);
}

json_t *answer_read(const char *text)
{
	cleanup_json json_t *answer = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	return answer_checked(answer);
}

static json_t *answer_from(struct asked *asked, const json_t *request, int limit_ms)
{
	cleanup_free char *input = xjson(json_text_dump(request, JSON_COMPACT));
	cleanup_free char *line = xasprintf("%s\n", input);
	struct error err = {0};
	cleanup_free char *text = exchange(asked, line, strlen(line), limit_ms, &err);

	if (!text) {
		cleanup_free char *why = xasprintf("the approver %s", err.message);

		return answer_denied("denied", why);
	}
	return answer_read(text);
}

json_t *answer_from_argv(const char *what, char *const *argv, const json_t *doc,
                         const json_t *request, int limit_ms)
{
	struct error err = {0};
	struct asked asked;
	json_t *answer = asked_words(&asked, what, argv, doc, &err) < 0
	                         ? answer_denied("denied", err.message)
	                         : answer_from(&asked, request, limit_ms);

	asked_free(&asked);
	return answer;
}

json_t *answer_from_program(const char *command, const json_t *doc, const json_t *request,
                            int limit_ms)
{
	struct error err = {0};
	struct asked asked;
	json_t *answer = asked_line(&asked, "--approver", command, doc, &err) < 0
	                         ? answer_denied("denied", err.message)
	                         : answer_from(&asked, request, limit_ms);

	asked_free(&asked);
	return answer;
}
