/*
 * sbx-approve: may this command run?
 */
#include "cleanup.h"
#include "document.h"
#include "key.h"
#include "memory.h"
#include "options.h"
#include "osstring.h"
#include "stage.h"
#include "text.h"
#include "tree.h"

static const struct program program = {
        .name = "sbx-approve",
        .synopsis = "<documents >documents",
        .purpose = "Decides for each document whether its command may run, and adds \"approval\".\n"
                   "Exit status 1 when one is denied.",
};

/* What each verdict becomes while there is nobody who could be asked. */
static const struct {
	const char *decision, *by, *prefix, *level;
} answer[] = {
        [VERDICT_SKIP] = {"skip", "policy", "", "low"},
        [VERDICT_ASK] = {"denied", "none", "denied: nobody to ask: ", "medium"},
        [VERDICT_REFUSE] = {"denied", "policy",
                            "denied: approval policy is never: what would have asked is refused: ",
                            "medium"},
};

static json_t *approval(const struct judgement *judgement, const char *key, const char *reason)
{
	enum verdict verdict = judgement->verdict;

	return xjson(json_pack("{s:s,s:b,s:s,s:s,s:o,s:s,s:{s:s,s:s}}", "decision",
	                       answer[verdict].decision, "required", verdict != VERDICT_SKIP, "by",
	                       answer[verdict].by, "reason", reason, "key", os_string(key),
	                       "command_class", "unknown", "risk", "level", answer[verdict].level,
	                       "description", judgement->reason));
}

static int approve(json_t *doc, void *context, struct error *err)
{
	const json_t *policy = json_object_get(doc, "policy");
	cleanup_free char *key = NULL;
	cleanup_free char *reason = NULL;
	struct judgement judgement;
	struct command command;
	int status = -1;

	(void)context;
	if (!json_is_object(policy))
		return error_set(err, EXIT_INPUT, "no-policy",
		                 "policy: missing: the document has not been through sbx-policy");
	if (command_get(doc, &command, err) < 0)
		return -1;
	key = approval_key(doc, &command, err);
	if (key)
		status = tree_judge(policy, &command, &judgement, err);
	command_free(&command);
	if (status < 0)
		return -1;
	reason = xasprintf("%s%s%s%s", answer[judgement.verdict].prefix, judgement.reason,
	                   judgement.cure ? "; " : "", judgement.cure ? judgement.cure : "");
	json_object_set_new(doc, "approval", approval(&judgement, key, reason));
	if (judgement.verdict == VERDICT_SKIP)
		return 0;
	complain("%s", reason);
	return EXIT_DENIED;
}

int main(int argc, char **argv)
{
	struct options options;
	struct error err = {0};
	const char *value;

	stage_begin(program.name);
	options_begin(&options, &program, argc, argv);
	if (options_next(&options, &value, &err) == NULL && err.exit == 0 &&
	    options.next < options.argc)
		error_set(&err, EXIT_USAGE, "usage", "\"%s\": takes no operands (try --help)",
		          options.argv[options.next]);
	if (err.exit)
		return stage_fail(&err);
	return stage_stream(approve, NULL);
}
