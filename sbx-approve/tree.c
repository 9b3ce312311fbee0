#include "tree.h"

#include <stdbool.h>
#include <string.h>

/* What the command wants, the widest of it. */
enum want {
	WANT_RUN,     /* run, in the sandbox that the policy asks for */
	WANT_OUTSIDE, /* run outside of it: "escalate", or preference "forbid" */
	WANT_PATCH,   /* change the files of a patch */
	WANTS,
};

#define SKIP   VERDICT_SKIP
#define ASK    VERDICT_ASK
#define REFUSE VERDICT_REFUSE

/*
 * The whole tree.  "never" refuses exactly what "on-request" asks, but for a
 * patch, which is asked for under every policy except "never".
 */
static const struct {
	const char *policy, *mode;
	enum verdict verdict[WANTS]; /* run, outside, patch */
	const char *reason;          /* of the first column */
} tree[] = {
        /* No sandbox to escape from: nothing to ask. */
        {"never", "danger-full-access", {SKIP, SKIP, SKIP}, "full access, and never ask"},
        {"on-request", "danger-full-access", {SKIP, SKIP, ASK}, "full access"},
        {"on-failure", "danger-full-access", {SKIP, SKIP, ASK}, "full access"},
        {"untrusted", "danger-full-access", {SKIP, SKIP, ASK}, "full access"},

        /* The caller's own sandbox holds it; ours is not there to be left. */
        {"never", "external-sandbox", {SKIP, SKIP, SKIP}, "an external sandbox holds it"},
        {"on-request", "external-sandbox", {SKIP, SKIP, ASK}, "an external sandbox holds it"},
        {"on-failure", "external-sandbox", {SKIP, SKIP, ASK}, "an external sandbox holds it"},
        {"untrusted", "external-sandbox", {ASK, ASK, ASK}, "not known to be safe"},

        /* The sandbox holds the command: only leaving it is a question. */
        {"never", "workspace-write", {SKIP, REFUSE, SKIP}, "the sandbox holds it"},
        {"on-request", "workspace-write", {SKIP, ASK, ASK}, "the sandbox holds it"},
        {"on-failure", "workspace-write", {SKIP, ASK, ASK}, "the sandbox holds it"},
        {"untrusted", "workspace-write", {ASK, ASK, ASK}, "not known to be safe"},

        {"never", "read-only", {SKIP, REFUSE, SKIP}, "the sandbox holds it"},
        {"on-request", "read-only", {SKIP, ASK, ASK}, "the sandbox holds it"},
        {"on-failure", "read-only", {SKIP, ASK, ASK}, "the sandbox holds it"},
        {"untrusted", "read-only", {ASK, ASK, ASK}, "not known to be safe"},
};

#undef SKIP
#undef ASK
#undef REFUSE

/* Why a want is a question, and what answers it without a person. */
static const struct {
	const char *reason, *cure;
} question[WANTS] = {
        [WANT_RUN] = {"the command is not known to be safe",
                      "-a on-request runs it in the sandbox without asking"},
        [WANT_OUTSIDE] = {"the command asks to run outside the sandbox",
                          "leave out --escalate or --forbid to run it in the sandbox, or use "
                          "-s danger-full-access to run without one"},
        [WANT_PATCH] = {"a patch wants to change files", "-a never applies patches unasked"},
};

static const char *forbid_reason = "the command asks to run without a sandbox";

static enum want want_of(const struct command *command)
{
	if (command->escalate || strcmp(command->preference, "forbid") == 0)
		return WANT_OUTSIDE;
	return strcmp(command->tool, "patch") == 0 ? WANT_PATCH : WANT_RUN;
}

static bool is(const char *a, const char *b)
{
	return a && strcmp(a, b) == 0;
}

int tree_judge(const json_t *policy, const struct command *command, struct judgement *judgement,
               struct error *err)
{
	const json_t *sandbox_policy = json_object_get(policy, "sandbox_policy");
	const char *asked = json_string_value(json_object_get(policy, "approval_policy"));
	const char *mode = json_string_value(json_object_get(sandbox_policy, "type"));
	enum want want = want_of(command);

	for (size_t i = 0; i < sizeof(tree) / sizeof(tree[0]); i++) {
		enum verdict verdict = tree[i].verdict[want];

		if (!is(asked, tree[i].policy) || !is(mode, tree[i].mode))
			continue;
		/* A patch that also wants to leave the sandbox is both questions. */
		if (verdict == VERDICT_SKIP && strcmp(command->tool, "patch") == 0) {
			want = WANT_PATCH;
			verdict = tree[i].verdict[want];
		}
		*judgement = (struct judgement){.verdict = verdict, .reason = tree[i].reason};
		if (verdict != VERDICT_SKIP) {
			judgement->reason = want == WANT_OUTSIDE && !command->escalate
			                            ? forbid_reason
			                            : question[want].reason;
			judgement->cure = question[want].cure;
		}
		return 0;
	}
	return error_set(err, EXIT_INPUT, "bad-policy",
	                 "policy: unknown approval_policy \"%s\" or sandbox_policy \"%s\"",
	                 asked ? asked : "(missing)", mode ? mode : "(missing)");
}
