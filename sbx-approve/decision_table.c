#include "decision_table.h"

#include "ask/least_grant.h"
#include "ask/preview_changes.h"
#include "policy/words.h"

#include <stdbool.h>
#include <string.h>

/*
 * The whole tree, to be held against the configuration matrix.  The columns:
 *
 *   run       in the sandbox of the policy: a safe, an unknown, a dangerous command
 *   outside   of it: "escalate", preference "forbid", a retry with more than
 *             the policy gives, or no sandbox to be had; then a dangerous one
 *   patch     changes to files; asked for under every policy but "never"
 *
 * "." runs, "?" is asked, "!" is refused.
 *
 * What has been changed in a preview is asked about like a run outside: it is about to
 * have an effect.  "on-change" asks about that, and before only what "on-request" asks.
 *
 * "never" refuses what "on-request" asks, with two exceptions: a patch, and a
 * dangerous command that the sandbox holds, where the caller has given up
 * being asked and the sandbox is what protects.  Without a sandbox, full access
 * and "never" together let everything run that no rule forbids.
 */
struct row {
	const char *run, *outside, *patch;
};

/* No sandbox of ours to escape from: nothing to ask but what destroys. */
static const struct row bare[] = {
        [ASK_NEVER] = {"...", "..", "."},      [ASK_ON_REQUEST] = {"..?", ".?", "?"},
        [ASK_ON_FAILURE] = {"..?", ".?", "?"}, [ASK_ON_CHANGE] = {"..?", ".?", "?"},
        [ASK_UNTRUSTED] = {".??", "??", "?"},
};

/*
 * The sandbox holds the command: leaving it is a question, or destroying what is in it.
 * Read-only, nothing can be destroyed, but a prompt tells that somebody tried.
 */
static const struct row held[] = {
        [ASK_NEVER] = {"...", "!!", "."},      [ASK_ON_REQUEST] = {"..?", "??", "?"},
        [ASK_ON_FAILURE] = {"..?", "??", "?"}, [ASK_ON_CHANGE] = {"..?", "??", "?"},
        [ASK_UNTRUSTED] = {".??", "??", "?"},
};

static const struct {
	const struct row *rows; /* one for each approval policy */
	const char *reason;     /* why it is not asked */
} tree[] = {
        [MODE_DANGER] = {bare, "full access"},
        [MODE_EXTERNAL] = {bare, "an external sandbox holds it"},
        [MODE_WORKSPACE_WRITE] = {held, "the sandbox holds it"},
        [MODE_READ_ONLY] = {held, "the sandbox holds it"},
};

const char *const want_names[WANTS] = {
        [WANT_RUN] = "run",     [WANT_OUTSIDE] = "outside", [WANT_PATCH] = "patch",
        [WANT_RETRY] = "retry", [WANT_BARE] = "bare",       [WANT_MORE] = "more",
        [WANT_HOST] = "host",   [WANT_CHANGES] = "changes",
};

/* Why a want is a question, and what answers it without a person. */
static const struct {
	const char *reason, *cure;
} question[WANTS] = {
        [WANT_RUN] = {"the command is not known to be safe",
                      "-a on-request runs it without asking"},
        [WANT_OUTSIDE] = {"the command asks to run outside the sandbox",
                          "leave out --escalate or --forbid to run it in the sandbox, or use "
                          "-s danger-full-access to run without one"},
        [WANT_PATCH] = {"a patch wants to change files", "-a never applies patches unasked"},
        [WANT_RETRY] = {"the sandbox denied something the command needs",
                        "allow it with --add-dir DIR or --network on, or use "
                        "-s danger-full-access to run without a sandbox"},
        [WANT_MORE] = {"the command asks for more than the policy gives",
                       "allow it with --add-dir DIR, --allow-host HOST or a permission set"},
        [WANT_HOST] = {"the command wants to reach a host that is not listed",
                       "allow it with --allow-host HOST:PORT"},
        [WANT_CHANGES] = {"the command has changed files, in a copy that is kept",
                          "sbx-run --apply makes the changes"},
        [WANT_BARE] = {"no sandbox of this machine can hold the policy",
                       "see sbx-select --probe for the cure, or use -s danger-full-access to "
                       "run without a sandbox"},
};

static const char *const dangerous_reason = "the command is dangerous";
static const char *const dangerous_cure =
        "a rule that allows it, in the rules folder, runs it without asking; -a never leaves it "
        "to the sandbox";
static const char *const safe_reason = "the command is known to be safe";

static bool is(const char *a, const char *b)
{
	return a && strcmp(a, b) == 0;
}

enum want tree_want(const json_t *doc, const struct command *command)
{
	const json_t *sandbox = json_object_get(doc, "sandbox");
	cleanup_grant struct grant more = GRANT_NOTHING;

	if (json_is_object(json_object_get(json_object_get(doc, "result"), "waiting")))
		return WANT_HOST;
	if (preview_changes(doc))
		return WANT_CHANGES;
	if (json_is_true(json_object_get(json_object_get(doc, "result"), "denied")))
		return WANT_RETRY;
	if (command->escalate || command->preference == PREFERENCE_FORBID)
		return WANT_OUTSIDE;
	/* Selected already, and there was none to select. */
	if (is(json_string_value(json_object_get(sandbox, "type")), "none") &&
	    json_array_size(json_object_get(sandbox, "lost")) > 0)
		return WANT_BARE;
	if (is(command->tool, "patch"))
		return WANT_PATCH;
	additional_grant(doc, &more);
	return grant_is_nothing(&more) ? WANT_RUN : WANT_MORE;
}

static char letter(const struct row *row, enum want want, enum command_class class)
{
	switch (want) {
	case WANT_RUN:
		return row->run[class];
	case WANT_PATCH:
		return row->patch[0];
	default:
		return row->outside[class == CLASS_DANGEROUS];
	}
}

static enum verdict verdict_of(const struct row *row, enum want want, enum command_class class)
{
	char said = letter(row, want, class);

	return said == '.' ? VERDICT_SKIP : said == '?' ? VERDICT_ASK : VERDICT_REFUSE;
}

/* Why nobody has to be asked. */
static const char *unasked(int policy, int mode)
{
	return policy == ASK_NEVER && mode == MODE_DANGER ? "full access, and never ask"
	                                                  : tree[mode].reason;
}

int tree_judge(const char *policy, const char *mode, enum want want, enum command_class class,
               struct judgement *judgement, struct error *err)
{
	int asking = word_index(approval_names, policy), width = word_index(mode_names, mode);
	const struct row *row = asking < 0 || width < 0 ? NULL : &tree[width].rows[asking];
	bool destroys = class == CLASS_DANGEROUS && want == WANT_RUN;

	if (!row)
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "policy: unknown approval_policy \"%s\" or sandbox_policy \"%s\"",
		                 policy ? policy : "(missing)", mode ? mode : "(missing)");
	*judgement = (struct judgement){.verdict = verdict_of(row, want, class),
	                                .want = want,
	                                .reason = unasked(asking, width)};
	if (judgement->verdict != VERDICT_SKIP) {
		judgement->reason = destroys ? dangerous_reason : question[want].reason;
		judgement->cure = destroys ? dangerous_cure : question[want].cure;
	} else if (want == WANT_RUN && class == CLASS_SAFE &&
	           verdict_of(row, want, CLASS_UNKNOWN) != VERDICT_SKIP) {
		judgement->safe = true;
		judgement->reason = safe_reason;
	}
	return 0;
}

int tree_mode_rank(const char *mode)
{
	return mode_width(word_index(mode_names, mode));
}

bool tree_knows_policy(const char *policy)
{
	return word_index(approval_names, policy) >= 0;
}
