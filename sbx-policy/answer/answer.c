#include "answer/answer.h"

#include "answer/assertions.h"
#include "answer/check_path.h"
#include "answer/diff_policies.h"
#include "answer/explain.h"
#include "answer/patch_member.h"
#include "answer/policy_member.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "config/workspace.h"
#include "document/document.h"
#include "document/osstring.h"
#include "document/stage.h"
#include "fs/path.h"
#include "sets/chosen_names.h"

/* What every document needs. */
struct resolved {
	json_t *member; /* NULL: there is no policy, and `why` says why */
	const struct error *why;
	bool warned; /* of a member that nobody knows */
};

static int add_policy(json_t *doc, void *context, struct error *err)
{
	struct resolved *resolved = context;
	const char *unknown = command_unknown_member(doc);
	cleanup_free char *cwd = NULL;
	struct command command;

	if (!resolved->member) {
		*err = *resolved->why;
		return -1;
	}
	if (command_get(doc, &command, err) < 0)
		return -1;
	if (unknown && !resolved->warned) {
		complain("command.%s: unknown member, ignored", unknown);
		resolved->warned = true;
	}
	/* Looked at, so that the failure is named here; never made a root. */
	cwd = directory_canonical(command.cwd, "cwd", err);
	command_free(&command);
	if (!cwd)
		return -1;
	json_object_set(doc, "policy", resolved->member);
	return 0;
}

static void add_file(json_t *command, const char *path)
{
	json_t *files = json_object_get(command, "files");

	if (!files) {
		files = xjson(json_array());
		json_object_set_new(command, "files", files);
	}
	json_array_append_new(files, os_string(path));
}

static json_t *first_document(const struct request *request, const char *cwd)
{
	json_t *doc = document_new(request->operands, cwd);
	json_t *command = json_object_get(doc, "command");
	enum preference preference = request->require  ? PREFERENCE_REQUIRE
	                             : request->forbid ? PREFERENCE_FORBID
	                                               : PREFERENCE_AUTO;
	json_t *rest = xjson(json_pack(
	        "{s:I,s:s,s:s,s:b,s:o}", "timeout_ms", request->timeout_ms, "tool", request->tool,
	        "preference", preference_names[preference], "escalate", request->escalate,
	        "justification",
	        request->justification ? os_string(request->justification) : json_null()));

	json_object_update(command, rest);
	json_decref(rest);
	for (size_t i = 0; i < request->files.count; i++)
		add_file(command, request->files.paths[i]);
	return doc;
}

/*
 * The first document of the command, or the documents on stdin, with the policy
 * or, where why->exit is set, with that error.  The exit status.
 */
static int answer_documents(const struct request *request, const char *workspace,
                            const struct policy *policy, const struct error *why)
{
	cleanup_json json_t *member = why->exit ? NULL : policy_member(policy);
	/* A failed look-up has no canonical path to show; what was asked for stands there. */
	cleanup_free char *cwd =
	        workspace ? xstrdup(workspace)
	                  : path_join("/", request->directory ? request->directory : ".");
	struct resolved resolved = {.member = member, .why = why};
	cleanup_json json_t *doc = NULL;
	struct error bad = {0};

	if (!request->operands[0])
		return stage_stream(add_policy, &resolved);
	doc = first_document(request, cwd);
	if (request->patch && patch_take(doc, request->patch, cwd, &bad) < 0)
		resolved = (struct resolved){.why = &bad};
	return stage_one(doc, add_policy, &resolved);
}

int answer(const struct request *request, const struct loaded *loaded, const struct policy *policy,
           const struct error *why)
{
	const char *workspace = loaded->workspace;
	struct error err = {0};
	int status = -1;

	/* Wrong usage is a matter between the caller and us, and of no document. */
	if (request->question == QUESTION_DOCUMENT && why->exit != EXIT_USAGE)
		return answer_documents(request, workspace, policy, why);
	if (why->exit)
		return stage_fail(why);
	switch (request->question) {
	case QUESTION_EXPLAIN:
		status = explain_policy(policy, stdout, &err);
		break;
	case QUESTION_CHECK_PATH:
		status = check_paths(policy, workspace, request->access, request->operands, &err);
		break;
	case QUESTION_TEST:
		status = assertions_check(policy, workspace, request->file, stdout, &err);
		break;
	case QUESTION_DIFF:
		status = answer_diff(request, policy, &err);
		break;
	case QUESTION_LIST:
		status = chosen_list(&loaded->config, request->file, stdout, &err);
		break;
	case QUESTION_DOCUMENT:
	case QUESTION_TRUST:
	case QUESTION_UNTRUST:
	case QUESTION_REMEMBER:
	case QUESTION_FORGET:
	case QUESTION_CACHES:
		break;
	}
	return status < 0 ? stage_fail(&err) : status;
}
