#include "retry.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "pipeline.h"
#include "policy/words.h"
#include "report/questions.h"

#include <string.h>

/* Enough of it for a person or an assessor to judge by. */
#define STDERR_SHOWN 4096

static const char *text(const json_t *doc, const char *member, const char *inner)
{
	const char *s = json_string_value(json_object_get(json_object_get(doc, member), inner));

	return s ? s : "";
}

static bool is(const json_t *doc, const char *member, const char *inner, const char *word)
{
	return strcmp(text(doc, member, inner), word) == 0;
}

/* The command and its policy, as before anybody decided anything. */
static json_t *undecided(json_t *doc)
{
	json_t *again = xjson(json_copy(doc));

	json_object_del(again, "approval");
	json_object_del(again, "exec");
	json_object_del(again, "error");
	return again;
}

static json_t *shortened(const json_t *result)
{
	json_t *out = xjson(json_deep_copy(result));
	const json_t *said = json_object_get(result, "stderr");
	size_t len = json_string_length(said);
	const char *tail = json_string_value(said);

	json_object_del(out, "stdout");
	if (tail && len > STDERR_SHOWN) {
		tail += len - STDERR_SHOWN;
		while (((unsigned char)*tail & 0xc0) == 0x80)
			tail++;
		json_object_set_new(out, "stderr", json_string(tail));
	}
	return out;
}

/* What the attempt could write beyond the policy: nothing of that is to be believed now. */
static void keep_granted(json_t *question, const json_t *doc)
{
	json_t *grant = json_object_get(json_object_get(doc, "approval"), "grant");

	if (json_is_object(grant))
		json_object_set(json_object_get(question, "result"), "granted", grant);
}

/* False: nothing is left to be asked about. */
static bool leave_out(json_t *result, const json_t *settled)
{
	json_t *denials = json_object_get(result, "denials");
	size_t before = json_array_size(denials);

	for (size_t i = before; i-- > 0;) {
		const char *address =
		        json_string_value(json_object_get(json_array_get(denials, i), "address"));

		const char *op =
		        json_string_value(json_object_get(json_array_get(denials, i), "op"));

		/* No approver gives more of the machine. */
		if ((address && json_object_get(settled, address)) ||
		    (op && strcmp(op, "limit") == 0))
			json_array_remove(denials, i);
	}
	return before == 0 || json_array_size(denials) > 0;
}

json_t *retry_after_denial(json_t *doc, const struct arguments *a, json_t *questions,
                           const json_t *settled)
{
	const json_t *result = json_object_get(doc, "result");
	cleanup_json json_t *question = NULL;
	json_t *again = NULL;
	struct error err = {0};
	int status;

	if (!json_is_true(json_object_get(result, "denied")) ||
	    policy_asks(json_object_get(doc, "policy")) == ASK_NEVER ||
	    is(doc, "sandbox", "type", "none"))
		return NULL;
	question = undecided(doc);
	json_object_del(question, "sandbox");
	json_object_set_new(question, "result", shortened(result));
	if (!leave_out(json_object_get(question, "result"), settled))
		return NULL;
	keep_granted(question, doc);
	status = pipeline_again(a, question, &again, &err);
	if (status < 0)
		complain("%s", err.message);
	questions_add(questions, again);
	if (status == 0)
		return again;
	json_decref(again);
	return NULL;
}

int retry_without_sandbox(json_t *doc, const struct arguments *a, int status, json_t **again)
{
	cleanup_json json_t *question = NULL;
	struct error err = {0};
	int answered;

	*again = NULL;
	if (status != EXIT_UNAVAILABLE || !is(doc, "error", "code", "no-sandbox") ||
	    !is(doc, "error", "stage", "sbx-wrap") ||
	    policy_asks(json_object_get(doc, "policy")) == ASK_NEVER)
		return status;
	question = undecided(doc);
	answered = pipeline_again(a, question, again, &err);
	if (answered < 0)
		complain("%s", err.message);
	/* Nobody to ask: the machine is what is wrong, and stays the reason. */
	if (answered < 0 || is(*again, "approval", "by", "none")) {
		json_decref(*again);
		*again = NULL;
		return status;
	}
	return answered;
}
