#include "decide.h"

#include "ask/answer.h"
#include "ask/assess_risk.h"
#include "ask/least_grant.h"
#include "ask/prompt.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "policy/hidden.h"
#include "policy/permissions.h"
#include "policy/words.h"
#include "rules/learned_rules.h"

#include <stdlib.h>
#include <string.h>

/* The decision on its way into the document. */
struct outcome {
	const char *decision, *by;
	bool required;
	char *reason;
	json_t *risk;
	json_t *grant; /* or NULL */
};

/* Links are resolved now; if they resolve to something else at the run, it is refused. */
static json_t *canonical_paths(const json_t *paths)
{
	json_t *out = xjson(json_array());
	struct error ignored;

	for (size_t i = 0; i < json_array_size(paths); i++) {
		cleanup_free char *path =
		        os_string_get(json_array_get(paths, i), "grant", &ignored);
		cleanup_free char *real = path ? path_canonical(path, &ignored) : NULL;

		json_array_append_new(out, os_string(real ? real : path));
	}
	return out;
}

static json_t *grant_of(const struct question *q, const json_t *answer)
{
	static const char *const lists[] = {"write", "read", "unix_sockets"};
	const json_t *given = json_object_get(answer, "grant");
	json_t *grant = NULL;

	/* A plain yes to the question about denials is a yes to what was offered: just those. */
	if (!json_is_object(given) && q->judgement.want == WANT_RETRY)
		grant = denials_grant(
		        json_object_get(json_object_get(q->doc, "result"), "denials"));
	if (grant)
		return grant_without_hidden(q->policy, grant);
	if (!json_is_object(given))
		return question_outside(q) ? xjson(json_pack("{s:s}", "sandbox", "none")) : NULL;
	grant = xjson(json_deep_copy(given));
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (json_object_get(grant, lists[i]))
			json_object_set_new(grant, lists[i],
			                    canonical_paths(json_object_get(given, lists[i])));
	return grant_without_hidden(q->policy, grant);
}

static void save_rule(struct desk *desk, const struct question *q, const json_t *answer)
{
	const char *rule = json_string_value(json_object_get(answer, "rule"));
	struct error err = {0};

	if (!rule)
		return;
	if (learned_save(q, rule, &err) < 0)
		complain("the rule was not saved: %s", err.message);
	else
		desk->book.stale = true;
}

/*
 * Outside nothing hides what the policy hides, so a yes has to name it.  And a
 * yes to less than was asked about leaves nothing to run.
 */
static bool refuse_hidden(const struct question *q, struct outcome *o)
{
	bool leaves = json_object_get(o->grant, "sandbox") != NULL ||
	              q->command.preference == PREFERENCE_FORBID || question_full_access(q) ||
	              (question_outside(q) && json_object_size(o->grant) == 0);
	cleanup_free char *words = NULL;

	if (!leaves || hidden_are_named(q->hidden, o->grant))
		return false;
	words = hidden_words(q->hidden);
	o->decision = "denied";
	o->reason = xasprintf("denied: the policy hides %s, which a run outside the sandbox would "
	                      "see; an answer that allows it has to name them (grant.none)",
	                      words);
	json_decref(o->grant);
	o->grant = NULL;
	return true;
}

static void by_answer(struct desk *desk, const struct question *q, struct outcome *o)
{
	cleanup_json json_t *assessed = risk_assess(q);
	cleanup_free char *reason = question_reason(q);
	cleanup_json json_t *request = question_request(q, reason, assessed, desk->source);
	cleanup_json json_t *answer = NULL;
	const char *why;

	answer = desk_ask(desk, q, request);
	if (assessed) {
		json_decref(o->risk);
		o->risk = json_incref(assessed);
	}
	if (!answer) {
		o->decision = "denied";
		o->by = "none";
		o->reason =
		        xasprintf("denied: nobody to ask: %s; use --approver CMD or a terminal, "
		                  "or %s",
		                  reason, q->judgement.cure);
		return;
	}
	o->decision = answer_decision(answer);
	o->by = json_string_value(json_object_get(answer, "by"));
	o->by = !o->by                         ? "approver"
	        : strcmp(o->by, "cache") == 0  ? "cache"
	        : strcmp(o->by, "user") == 0   ? "user"
	        : strcmp(o->by, "parent") == 0 ? "parent"
	                                       : "approver";
	why = json_string_value(json_object_get(answer, "reason"));
	if (answer_approves(answer)) {
		o->grant = grant_of(q, answer);
		if (refuse_hidden(q, o))
			return;
		o->reason = xasprintf("%s: %s", o->decision, reason);
		save_rule(desk, q, answer);
	} else {
		o->reason = xasprintf("%s%s%s: %s", o->decision, why ? ": " : "", why ? why : "",
		                      reason);
	}
}

/* Rules allow all of it, or all that is not safe anyway. */
static bool by_rule(const struct question *q)
{
	const struct judgement *j = &q->judgement;

	if (q->rule.decision != DECISION_ALLOW || j->ceiling || j->want > WANT_OUTSIDE)
		return false;
	/* A rule names no hidden places, so it opens none. */
	if (question_unconfined(q) && json_array_size(q->hidden) > 0)
		return false;
	return j->verdict == VERDICT_SKIP ? j->safe && q->class != CLASS_SAFE : q->covered;
}

/* The rules first, then the tree, then whoever can be asked. */
static void settle(struct desk *desk, const struct question *q, struct outcome *o)
{
	const struct judgement *j = &q->judgement;
	cleanup_free char *reason = question_reason(q);

	o->risk = risk_builtin(q);
	o->required = j->verdict != VERDICT_SKIP;
	if (q->rule.decision == DECISION_FORBIDDEN) {
		const struct rule *rule = q->rule.rule;

		o->decision = "denied";
		o->by = "rule";
		o->required = true;
		o->reason = xasprintf("denied: a rule forbids it (%s:%u)%s%s", rule->file,
		                      rule->line, rule->justification ? ": " : "",
		                      rule->justification ? rule->justification : "");
	} else if (by_rule(q)) {
		o->decision = "approved";
		o->by = "rule";
		o->required = false;
		o->reason = xasprintf("a rule allows it (%s:%u)", q->rule.rule->file,
		                      q->rule.rule->line);
		if (question_outside(q))
			o->grant = xjson(json_pack("{s:s}", "sandbox", "none"));
	} else if (j->verdict == VERDICT_SKIP && question_unconfined(q) &&
	           json_array_size(q->hidden) > 0) {
		refuse_hidden(q, o);
		o->by = "policy";
		o->required = true;
	} else if (j->verdict == VERDICT_SKIP) {
		o->decision = "skip";
		o->by = j->safe ? "safe-command" : "policy";
		o->reason = xstrdup(reason);
	} else if (j->verdict == VERDICT_REFUSE) {
		o->decision = "denied";
		o->by = "policy";
		o->reason = xasprintf("denied: %s%s; %s",
		                      policy_asks(q->policy) == ASK_NEVER && !j->ceiling
		                              ? "approval policy is never: what would have asked "
		                                "is refused: "
		                              : "",
		                      reason, j->cure);
	} else {
		by_answer(desk, q, o);
	}
}

static json_t *approval(const struct question *q, const struct outcome *o)
{
	json_t *out = xjson(json_object());

	json_object_set_new_nocheck(out, "decision", json_string_nocheck(o->decision));
	json_object_set_new_nocheck(out, "required", json_boolean(o->required));
	json_object_set_new_nocheck(out, "by", json_string_nocheck(o->by));
	json_object_set_new_nocheck(out, "reason", os_string(o->reason));
	json_object_set_new_nocheck(out, "key", os_string(q->key));
	json_object_set_new_nocheck(out, "command_class",
	                            json_string_nocheck(class_names[q->class]));
	json_object_set_new_nocheck(out, "risk", json_incref(o->risk));
	if (o->grant)
		json_object_set_new_nocheck(out, "grant", json_incref(o->grant));
	return xjson(out);
}

int decide(json_t *doc, struct desk *desk, struct error *err)
{
	const json_t *policy = json_object_get(doc, "policy");
	const struct rules *rules;
	struct outcome o = {0};
	struct question q;
	bool runs;

	/* An answer from before does not outlive a new question. */
	json_object_del(doc, "approval");
	if (!json_is_object(policy))
		return error_set(err, EXIT_INPUT, "no-policy",
		                 "policy: missing: the document has not been through sbx-policy");
	rules = book_rules(&desk->book, policy, err);
	if (!rules || desk_open_session(desk, doc, err) < 0)
		return -1;
	if (question_build(&q, doc, rules, &desk->ceiling, &desk->memory, err) < 0) {
		question_free(&q);
		return -1;
	}
	settle(desk, &q, &o);
	json_object_set_new(doc, "approval", approval(&q, &o));
	runs = strcmp(o.decision, "skip") == 0 || strncmp(o.decision, "approved", 8) == 0;
	if (!runs)
		complain("%s", o.reason);
	question_free(&q);
	free(o.reason);
	json_decref(o.risk);
	json_decref(o.grant);
	if (desk->book.stale)
		book_forget(&desk->book);
	return runs ? 0 : EXIT_DENIED;
}
