#include "answer/answer.h"

#include "answer/assertions.h"
#include "answer/check_path.h"
#include "answer/diff_sides.h"
#include "answer/documents.h"
#include "answer/explain.h"
#include "document/stage.h"

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
	case QUESTION_DOCUMENT:
	case QUESTION_TRUST:
	case QUESTION_UNTRUST:
		break;
	}
	return status < 0 ? stage_fail(&err) : status;
}
