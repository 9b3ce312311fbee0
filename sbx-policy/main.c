/*
 * sbx-policy: configuration, trust, roots -> a resolved policy.
 */
#include "answer/assertions.h"
#include "answer/check_path.h"
#include "answer/diff_policies.h"
#include "answer/explain.h"
#include "answer/policy_member.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "config/command_line.h"
#include "config/load_settings.h"
#include "config/workspace.h"
#include "document/document.h"
#include "document/osstring.h"
#include "document/stage.h"
#include "fs/path.h"
#include "policy/words.h"
#include "project/write_trust.h"
#include "resolve/resolve.h"
#include "trust/settings_home.h"

#include <string.h>

/* What work() needs for each document. */
struct resolved {
	json_t *member; /* NULL: there is no policy, and `why` says why */
	struct error why;
	bool warned; /* of a member that nobody knows */
};

static int add_policy(json_t *doc, void *context, struct error *err)
{
	struct resolved *resolved = context;
	const char *unknown = command_unknown_member(doc);
	cleanup_free char *cwd = NULL;
	struct command command;

	if (!resolved->member) {
		*err = resolved->why;
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

static json_t *first_document(const struct request *request, const char *cwd)
{
	json_t *doc = document_new(request->operands, cwd);
	json_t *command = json_object_get(doc, "command");
	enum preference preference = request->require  ? PREFERENCE_REQUIRE
	                             : request->forbid ? PREFERENCE_FORBID
	                                               : PREFERENCE_AUTO;
	json_t *rest = xjson(json_pack("{s:I,s:s,s:s,s:b,s:o}", "timeout_ms", request->timeout_ms,
	                               "tool", "exec", "preference", preference_names[preference],
	                               "escalate", request->escalate, "justification",
	                               request->justification ? os_string(request->justification)
	                                                      : json_null()));

	json_object_update(command, rest);
	json_decref(rest);
	return doc;
}

/* The document, or the documents on stdin, with the policy or with the reason for none. */
static int answer_documents(const struct request *request, const char *workspace,
                            struct resolved *resolved)
{
	/* A failed look-up has no canonical path to show; what was asked for stands there. */
	cleanup_free char *cwd =
	        workspace ? xstrdup(workspace)
	                  : path_join("/", request->directory ? request->directory : ".");
	cleanup_json json_t *doc = NULL;

	if (!request->operands[0])
		return stage_stream(add_policy, resolved);
	doc = first_document(request, cwd);
	return stage_one(doc, add_policy, resolved);
}

/* What was read must not be what the command is about to write. */
static int check_home(const struct request *request, const struct policy *policy,
                      const char *workspace, struct error *err)
{
	enum mode mode = (enum mode)request->settings.mode.value;
	/* A view: nothing in it is freed. */
	cleanup_free char *cwd = xstrdup(workspace);
	const struct could_write w = {.permissions = policy->permissions,
	                              .cwd = cwd,
	                              .held = mode == MODE_READ_ONLY ||
	                                      mode == MODE_WORKSPACE_WRITE};

	return settings_home_reach(&w, err);
}

/* The settings of every layer, then what they mean here. */
static int resolve(struct request *request, struct policy *policy, const char *workspace,
                   struct error *err)
{
	if (request->refused.exit) {
		*err = request->refused;
		return -1;
	}
	if (!workspace || settings_load(request, workspace, err) < 0 ||
	    settings_require(&request->settings, &request->notes, err) < 0 ||
	    request_agree(request, err) < 0)
		return -1;
	if (policy_resolve(policy, &request->settings, &request->repository, workspace,
	                   &request->notes, err) < 0)
		return -1;
	if (check_home(request, policy, workspace, err) < 0)
		return -1;
	return settings_require_set(&request->settings, &policy->permissions, &request->notes, err);
}

/* A file, or "-"; everything else is a name. */
static bool is_file(const char *operand)
{
	return strchr(operand, '/') || strcmp(operand, "-") == 0 ||
	       (strlen(operand) > 5 && strcmp(operand + strlen(operand) - 5, ".json") == 0);
}

/* One side of --diff: a document, or what the same options give with another mode or set. */
static json_t *side(const struct request *request, const char *operand, struct error *err)
{
	static const char profile[] = "profile:";
	const char *option = word_index(mode_names, operand) >= 0 ? "--sandbox" : "--permissions";
	cleanup_vector char **argv = NULL;
	cleanup_free char *workspace = NULL;
	struct policy policy = {0};
	struct request other;
	json_t *member = NULL;
	int argc = request->option_count;

	if (is_file(operand))
		return diff_read(operand, err);
	if (strncmp(operand, profile, strlen(profile)) == 0) {
		option = "--profile";
		operand += strlen(profile);
	}
	argc -= request->dashes;
	argv = xrealloc_array(NULL, (size_t)argc + 5, sizeof(*argv));
	for (int i = 0; i < argc; i++)
		argv[i] = xstrdup(request->operands[i - request->option_count]);
	argv[argc++] = xstrdup(option);
	argv[argc++] = xstrdup(operand);
	argv[argc++] = xstrdup("--");
	argv[argc++] = xstrdup(operand);
	argv[argc] = NULL;
	if (request_read(&other, argc, argv, err) < 0)
		return NULL;
	workspace = workspace_find(other.directory, err);
	if (resolve(&other, &policy, workspace, err) == 0)
		member = policy_member(&policy);
	policy_free(&policy);
	request_free(&other);
	return member;
}

static int answer_diff(const struct request *request, json_t *own, struct error *err)
{
	cleanup_json json_t *a = side(request, request->operands[0], err);
	cleanup_json json_t *b = !a                     ? NULL
	                         : request->operands[1] ? side(request, request->operands[1], err)
	                                                : json_incref(own);

	return a && b ? diff_policies(a, b, stdout, err) : -1;
}

static int answer(const struct request *request, const struct policy *policy, const char *workspace,
                  struct resolved *resolved)
{
	struct error err = {0};
	int status = -1;

	if (request->question == QUESTION_DOCUMENT)
		return answer_documents(request, workspace, resolved);
	if (!resolved->member)
		return stage_fail(&resolved->why);
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
		status = answer_diff(request, resolved->member, &err);
		break;
	case QUESTION_DOCUMENT:
	case QUESTION_TRUST:
	case QUESTION_UNTRUST:
		break;
	}
	return status < 0 ? stage_fail(&err) : status;
}

int main(int argc, char **argv)
{
	struct resolved resolved = {0};
	struct policy policy = {0};
	struct request request;
	cleanup_free char *workspace = NULL;
	int status;

	stage_begin("sbx-policy");
	if (request_read(&request, argc, argv, &resolved.why) < 0)
		return stage_fail(&resolved.why);
	if (request.question == QUESTION_TRUST || request.question == QUESTION_UNTRUST) {
		status = decide_trust(request.operands[0] ? request.operands[0] : request.directory,
		                      request.question == QUESTION_TRUST, stdout, &resolved.why);
		request_free(&request);
		return status < 0 ? stage_fail(&resolved.why) : 0;
	}
	workspace = workspace_find(request.directory, &resolved.why);
	if (resolve(&request, &policy, workspace, &resolved.why) == 0)
		resolved.member = policy_member(&policy);
	notes_print(&request.notes);
	/* Wrong usage is a matter between the caller and us, and of no document. */
	status = resolved.why.exit == EXIT_USAGE ? stage_fail(&resolved.why)
	                                         : answer(&request, &policy, workspace, &resolved);
	json_decref(resolved.member);
	policy_free(&policy);
	request_free(&request);
	return status;
}
