#include "question.h"

#include "ask/preview_changes.h"
#include "ask/least_grant.h"
#include "ask/waiting_host.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "policy/hidden.h"
#include "patches/patch.h"
#include "policy/words.h"
#include "session/cache_key.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct deep {
	const struct rules *rules;
	struct occasion occasion;
	struct match best;
};

/* A command inside another: nothing it says can allow, but it can forbid. */
static void match_deep(char *const *argv, void *context)
{
	struct deep *d = context;
	struct match match = rules_match(d->rules, argv, &d->occasion, NULL);

	if (match.decision > d->best.decision)
		d->best = match;
}

static bool have_strict(const struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		if (rules->rules[i].decision > DECISION_ALLOW)
			return true;
	return false;
}

static bool is_outside(enum want want)
{
	return want == WANT_OUTSIDE || want == WANT_RETRY || want == WANT_BARE;
}

/* The strictest of all rules over all parts; covered[i]: a rule allows part i. */
static void match_parts(struct question *q, const struct rules *rules, bool *covered)
{
	struct occasion occasion = {.site = &q->site,
	                            .cwd = q->command.cwd,
	                            .now = time(NULL),
	                            .outside = is_outside(tree_want(q->doc, &q->command)) ||
	                                       question_full_access(q)};
	struct deep deep = {.rules = rules, .occasion = occasion};

	q->covered = true;
	deep.occasion.deep = true;
	for (size_t i = 0; i < q->analysis.count; i++) {
		struct match match = rules_match(rules, q->analysis.parts[i].argv, &occasion, NULL);

		covered[i] = match.decision == DECISION_ALLOW;
		q->covered &= covered[i];
		if (match.decision > q->rule.decision)
			q->rule = match;
	}
	if (have_strict(rules))
		danger(q->command.argv, match_deep, &deep);
	if (deep.best.decision > q->rule.decision)
		q->rule = deep.best;
	q->covered &= q->rule.decision == DECISION_ALLOW;
}

/* The stricter of two places in the tree. */
static int judge_also(struct question *q, const char *policy, const char *mode, enum want want,
                      enum command_class class, bool above, struct error *err)
{
	struct judgement other;

	if (tree_judge(policy, mode, want, class, &other, err) < 0)
		return -1;
	if (other.verdict > q->judgement.verdict) {
		q->judgement = other;
		q->judgement.ceiling = above;
	}
	return 0;
}

/* Where there is a sandbox, a patch is judged by its files. */
static int look_beyond(struct question *q, struct error *err)
{
	const json_t *sandbox_policy = json_object_get(q->policy, "sandbox_policy");
	const char *mode = json_string_value(json_object_get(sandbox_policy, "type"));
	struct error wrong = {0};
	cleanup_vector char **files = patch_files(q->doc, &wrong);
	struct permissions permissions;

	if (!files && wrong.exit) {
		*err = wrong;
		return -1;
	}
	if (!files || tree_mode_rank(mode) > mode_width(MODE_WORKSPACE_WRITE))
		return 0;
	if (permissions_get(json_object_get(q->policy, "permissions"), &permissions, err) < 0)
		return -1;
	q->beyond = patch_beyond(files, &permissions);
	permissions_free(&permissions);
	return 0;
}

static int judge(struct question *q, enum command_class class, const struct ceiling *ceiling,
                 struct error *err)
{
	const json_t *sandbox_policy = json_object_get(q->policy, "sandbox_policy");
	const char *policy = json_string_value(json_object_get(q->policy, "approval_policy"));
	const char *mode = json_string_value(json_object_get(sandbox_policy, "type"));
	enum want want = tree_want(q->doc, &q->command);
	bool patch = strcmp(q->command.tool, "patch") == 0;

	if (tree_judge(policy, mode, want, class, &q->judgement, err) < 0 ||
	    look_beyond(q, err) < 0)
		return -1;
	/* Nobody is asked, so nobody could have said yes to that file. */
	if (q->beyond && q->judgement.verdict == VERDICT_SKIP && want == WANT_PATCH)
		q->judgement = (struct judgement){
		        .verdict = VERDICT_REFUSE,
		        .want = want,
		        .reason = "a patch wants to change files",
		        .cure = "use -a on-request to be asked, or --add-dir DIR"};
	/* A patch that also wants to leave the sandbox is both questions. */
	if (patch && want != WANT_PATCH &&
	    judge_also(q, policy, mode, WANT_PATCH, class, false, err) < 0)
		return -1;
	for (size_t i = 0; ceiling && i < ceiling->count; i++)
		if (judge_also(q, ceiling->policies[i], mode, want, class, true, err) < 0)
			return -1;
	if (ceiling && ceiling->mode && tree_mode_rank(mode) > tree_mode_rank(ceiling->mode)) {
		q->judgement.verdict = VERDICT_REFUSE;
		q->judgement.ceiling = true;
		q->judgement.reason = "the session allows no sandbox mode as wide as this";
		q->judgement.cure = "use the mode of the session or a narrower one";
	}
	return 0;
}

/* A rule that asks: full access and "never" together leave only "forbidden". */
static void ask_by_rule(struct question *q)
{
	bool never = policy_asks(q->policy) == ASK_NEVER;

	if (q->rule.decision != DECISION_PROMPT || q->judgement.verdict != VERDICT_SKIP ||
	    (never && policy_mode(q->policy) == MODE_DANGER))
		return;
	q->judgement.verdict = never ? VERDICT_REFUSE : VERDICT_ASK;
	q->judgement.safe = false;
	q->judgement.reason = "a rule says to ask for it";
	q->judgement.cure = "change the rule to run it without asking (-a never asks nobody)";
}

/* A class of question that the policy refuses unasked; what it does not mention, as well. */
static void refuse_unasked(struct question *q)
{
	const json_t *granular = json_object_get(q->policy, "granular");
	bool by_rule = q->rule.decision == DECISION_PROMPT;
	bool more = q->judgement.want == WANT_MORE;
	const char *class = by_rule ? "rules" : more ? "request_permissions" : "sandbox_approval";

	if (!json_is_object(granular) || q->judgement.verdict != VERDICT_ASK ||
	    json_is_true(json_object_get(granular, class)))
		return;
	q->judgement.verdict = VERDICT_REFUSE;
	q->judgement.cure = by_rule ? "approval_policy.granular.rules = true asks"
	                    : more  ? "approval_policy.granular.request_permissions = true asks"
	                            : "approval_policy.granular.sandbox_approval = true asks";
}

/* What a command says that it needs has the form of a grant, in the sandbox. */
static int check_additional(const json_t *doc, struct error *err)
{
	const json_t *more =
	        json_object_get(json_object_get(doc, "command"), "additional_permissions");
	cleanup_grant struct grant grant = GRANT_NOTHING;

	if (!more || json_is_null(more))
		return 0;
	if (grant_get(more, &grant, err) < 0)
		return -1;
	return !grant.outside ? 0
	                      : error_set(err, EXIT_INPUT, "bad-document",
	                                  "command.additional_permissions: escalate asks to leave "
	                                  "the sandbox");
}

int question_build(struct question *q, const json_t *doc, const struct rules *rules,
                   const struct ceiling *ceiling, struct site_memory *memory, struct error *err)
{
	cleanup_free bool *covered = NULL;
	bool patch;

	*q = (struct question){
	        .doc = doc, .policy = json_object_get(doc, "policy"), .scope = GRANT_NOTHING};
	if (command_get(doc, &q->command, err) < 0 || check_additional(doc, err) < 0)
		return -1;
	q->host = waiting_host(doc, err);
	if (err->exit)
		return -1;
	q->hidden = hidden_places(q->policy);
	q->changes = preview_changes(doc);
	q->key = q->host      ? xasprintf("host:%s", q->host)
	         : q->changes ? xasprintf("changes:%s",
	                                  json_string_value(json_object_get(q->changes, "id")))
	                      : approval_key(doc, &q->command, err);
	if (!q->key)
		return -1;
	patch = strcmp(q->command.tool, "patch") == 0;
	q->class = CLASS_UNKNOWN;
	if (!patch) {
		site_look(&q->site, &q->command, q->policy, memory);
		analyse(q->command.argv, &q->site, &q->analysis);
		q->class = analysis_class(&q->analysis, NULL);
		for (size_t i = 0; i < q->analysis.count && !q->danger; i++)
			q->danger = q->analysis.parts[i].danger;
		if (rules->count > 0) {
			covered = xrealloc_array(NULL, q->analysis.count, sizeof(*covered));
			match_parts(q, rules, covered);
		}
	}
	if (judge(q, patch ? CLASS_UNKNOWN : analysis_class(&q->analysis, covered), ceiling, err) <
	    0)
		return -1;
	ask_by_rule(q);
	refuse_unasked(q);
	return 0;
}

void question_free(struct question *q)
{
	analysis_free(&q->analysis);
	command_free(&q->command);
	free(q->key);
	json_decref(q->hidden);
	free(q->beyond);
	free(q->host);
	grant_free(&q->scope);
}

bool question_outside(const struct question *q)
{
	return is_outside(q->judgement.want);
}

bool question_full_access(const struct question *q)
{
	return policy_mode(q->policy) == MODE_DANGER;
}

bool question_unconfined(const struct question *q)
{
	return question_outside(q) || question_full_access(q);
}

bool question_wants_home(const struct question *q)
{
	return q->judgement.want == WANT_RETRY &&
	       denials_want_home(json_object_get(json_object_get(q->doc, "result"), "denials"));
}

char *question_reason(const struct question *q)
{
	const struct rule *rule = q->rule.rule;
	bool by_rule = rule && q->rule.decision > DECISION_ALLOW;

	if (by_rule && rule->justification)
		return xasprintf("%s: %s", q->judgement.reason, rule->justification);
	if (q->host)
		return xasprintf("the command wants to reach %s, which is not listed", q->host);
	if (q->beyond)
		return xasprintf("%s, also \"%s\", which is protected or outside the writable "
		                 "roots",
		                 q->judgement.reason, q->beyond);
	if (q->danger && q->judgement.verdict != VERDICT_SKIP)
		return xasprintf("%s (%s)", q->judgement.reason, q->danger);
	return xstrdup(q->judgement.reason);
}
