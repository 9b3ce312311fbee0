#include "decide.h"

#include "program/answer.h"
#include "ask/assess_risk.h"
#include "ask/least_grant.h"
#include "ask/prompt.h"
#include "ask/request.h"
#include "ask/waiting_host.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "grant/effective.h"
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
	struct grant grant;
};

/* What was asked for by name, and an answer can only narrow. */
static bool asked_for(const struct question *q, struct grant *wanted)
{
	if (q->judgement.want == WANT_MORE)
		additional_grant(q->doc, wanted);
	else if (q->host)
		host_grant(q->doc, wanted);
	else
		return false;
	return true;
}

static void grant_of(const struct question *q, const json_t *answer, struct grant *grant)
{
	const json_t *given = json_object_get(answer, "grant");
	struct error ignored = {0};

	/* A plain yes to the question about denials is a yes to what was offered: just those. */
	if (!json_is_object(given) && q->judgement.want == WANT_RETRY)
		denials_grant(json_object_get(json_object_get(q->doc, "result"), "denials"), grant);
	else if (!json_is_object(given) && q->judgement.want == WANT_PATCH && q->beyond)
		patch_grant(q->doc, grant);
	else if (!json_is_object(given) && asked_for(q, grant))
		;
	else if (json_is_object(given) && grant_get(given, grant, &ignored) == 0)
		grant_make_canonical(grant); /* answer_read() has checked it */
	if (json_is_object(given)) {
		cleanup_grant struct grant wanted = GRANT_NOTHING;

		if (asked_for(q, &wanted)) {
			grant_make_canonical(&wanted);
			grant_intersect(grant, &wanted);
		}
	}
	if (!json_is_object(given) && grant_is_nothing(grant) && !question_wants_home(q) &&
	    !q->changes)
		grant->outside = question_outside(q);
	grant_without_hidden(q->policy, grant);
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

static bool leaves(const struct question *q, const struct outcome *o)
{
	return o->grant.outside || q->command.preference == PREFERENCE_FORBID ||
	       question_full_access(q) || (question_outside(q) && grant_is_nothing(&o->grant));
}

/*
 * Outside nothing hides what the policy hides, so a yes has to name it.  And a
 * yes to less than was asked about leaves nothing to run.
 */
static bool refuse_hidden(const struct question *q, struct outcome *o)
{
	cleanup_free char *words = NULL;

	if (!leaves(q, o) ||
	    (hidden_are_named(q->hidden, o->grant.none) && !hidden_is_final(q->policy)))
		return false;
	words = hidden_words(q->hidden);
	o->decision = "denied";
	o->reason = xasprintf("denied: the policy hides %s, which a run outside the sandbox would "
	                      "see; %s",
	                      words,
	                      hidden_is_final(q->policy)
	                              ? "the administrator lets nobody read some of it"
	                              : "an answer that allows it has to name them (grant.none)");
	grant_free(&o->grant);
	return true;
}

/* Once more with what has just failed would be no answer. */
static bool refuse_nothing(const struct question *q, struct outcome *o)
{
	if (q->host && !o->grant.paths[GRANT_HOSTS]) {
		o->decision = "denied";
		o->reason = xasprintf("denied: the answer does not give %s", q->host);
		return true;
	}
	if (q->judgement.want != WANT_RETRY || !grant_is_nothing(&o->grant))
		return false;
	o->decision = "denied";
	o->reason = xstrdup("denied: nothing less than a home directory would allow it; an answer "
	                    "that means that names it (grant.write), or leaves the sandbox in so "
	                    "many words (grant.sandbox)");
	return true;
}

static void by_answer(struct desk *desk, const struct question *q, struct outcome *o)
{
	cleanup_json json_t *assessed = risk_assess(q);
	cleanup_free char *reason = question_reason(q);
	const struct asking asking = {
	        .source = desk->source, .caller = desk->caller, .session = desk->fd >= 0};
	cleanup_json json_t *request = request_for(q, reason, assessed, &asking);
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
		        xasprintf("denied: nobody to ask: %s; use --approver CMD or a terminal; "
		                  "%s",
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
	/* Nobody has said no to what a command has made already: it is not thrown away. */
	if (q->changes && json_is_true(json_object_get(answer, "failed")))
		o->decision = "abort";
	why = json_string_value(json_object_get(answer, "reason"));
	if (answer_approves(answer)) {
		grant_of(q, answer, &o->grant);
		if (refuse_hidden(q, o) || refuse_nothing(q, o))
			return;
		o->reason = xasprintf("%s: %s", o->decision, reason);
		save_rule(desk, q, answer);
	} else {
		o->reason = why ? xasprintf("%s: %s (asked because %s)", o->decision, why, reason)
		                : xasprintf("%s: %s", o->decision, reason);
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
		o->grant.outside = question_outside(q);
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
		                              ? "nobody is asked under -a never: "
		                              : "",
		                      reason, j->cure);
	} else {
		by_answer(desk, q, o);
	}
}

/* Outside nothing holds an administrator's list of hosts, whoever says yes. */
static void keep_hosts(const struct question *q, struct outcome *o)
{
	const json_t *required = json_object_get(q->policy, "requirements");
	bool listed = json_object_get(required, "allowed_hosts") ||
	              json_object_get(required, "denied_hosts");

	if (!listed || !leaves(q, o) || strcmp(o->decision, "denied") == 0 ||
	    strcmp(o->decision, "abort") == 0)
		return;
	o->decision = "denied";
	o->by = "policy";
	free(o->reason);
	o->reason = xstrdup("denied: the administrator lets commands reach some hosts only, and a "
	                    "run outside the sandbox would reach all of them");
	grant_free(&o->grant);
}

/*
 * What the session has given to every command here holds from the first attempt
 * on: it is not found again by a failure.
 */
static void widen(const struct question *q, struct outcome *o)
{
	if (grant_is_nothing(&q->scope) || o->grant.outside)
		return;
	grant_add(&o->grant, &q->scope);
	if (strcmp(o->decision, "skip") != 0)
		return;
	o->decision = "approved_for_session";
	o->by = "cache";
	free(o->reason);
	o->reason = xstrdup("with what was approved for the session");
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
	if (!grant_is_nothing(&o->grant))
		json_object_set_new_nocheck(out, "grant", grant_json(&o->grant));
	return xjson(out);
}

/* What the rules say of hosts, where there is a list to add it to. */
static void add_hosts(json_t *doc, const struct rules *rules, const struct question *q,
                      const struct grant *grant)
{
	const json_t *permissions = json_object_get(json_object_get(doc, "policy"), "permissions");
	int network = network_parse(json_string_value(json_object_get(permissions, "network")));
	json_t *list;

	if (rules->network_count == 0 ||
	    (network != NETWORK_HOSTS && grant->network != NETWORK_HOSTS &&
	     !grant->paths[GRANT_HOSTS]))
		return;
	list = xjson(json_array());
	for (size_t i = 0; i < rules->network_count; i++)
		if (network_rule_holds(&rules->networks[i], q->command.cwd, time(NULL)))
			json_array_append_new(list, xjson(json_string(rules->networks[i].host)));
	json_object_set_new(json_object_get(doc, "approval"), "hosts", list);
}

/* Adds approval.permissions; what the session gave is named when it is in the way. */
static int enforce(json_t *doc, const struct question *q, struct error *err)
{
	char why[sizeof(err->message)];

	if (effective_write(doc, err) == 0)
		return 0;
	memcpy(why, err->message, sizeof(why));
	return grant_is_nothing(&q->scope)
	               ? -1
	               : error_set(err, err->exit, "bad-grant",
	                           "%.600s (sbx-approve --list shows what the session gives, "
	                           "--revoke ends it)",
	                           why);
}

static const char *refusal(const struct outcome *o)
{
	static const char head[] = "denied: ";

	return strcmp(o->by, "user") == 0                    ? "you said no"
	       : strncmp(o->reason, head, strlen(head)) == 0 ? o->reason + strlen(head)
	                                                     : o->reason;
}

/* Who refused, as the program that a person typed says it. */
static void tell(const struct question *q, const struct outcome *o)
{
	bool again = q->judgement.want == WANT_RETRY;

	if (strcmp(speaker(), program_name) == 0)
		complain("%s", o->reason);
	else if (q->changes)
		return; /* the caller says what becomes of them */
	else if (again && strcmp(o->by, "none") == 0)
		return;   /* it has run, and the report says what it lacked */
	else if (q->host) /* the command is running */
		complain("%s is not reached%s: %s", q->host,
		         strcmp(o->decision, "abort") == 0 ? ", and the command is ended" : "",
		         refusal(o));
	else
		complain("not run%s: %s", again ? " again" : "", refusal(o));
}

int decide(json_t *doc, struct desk *desk, struct error *err)
{
	const json_t *policy = json_object_get(doc, "policy");
	const struct rules *rules;
	struct outcome o = {.grant = GRANT_NOTHING};
	struct question q;
	int status = 0;
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
	desk_look_at_scope(desk, &q);
	settle(desk, &q, &o);
	keep_hosts(&q, &o);
	runs = strcmp(o.decision, "skip") == 0 || strncmp(o.decision, "approved", 8) == 0;
	if (runs)
		widen(&q, &o);
	json_object_set_new(doc, "approval", approval(&q, &o));
	add_hosts(doc, rules, &q, &o.grant);
	if (!runs)
		tell(&q, &o);
	else
		status = enforce(doc, &q, err);
	if (status < 0)
		json_object_del(doc, "approval");
	question_free(&q);
	free(o.reason);
	json_decref(o.risk);
	grant_free(&o.grant);
	if (desk->book.stale)
		book_forget(&desk->book);
	return runs ? status : EXIT_DENIED;
}
