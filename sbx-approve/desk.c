#include "desk.h"

#include "program/answer.h"
#include "program/configured_approver.h"
#include "ask/least_grant.h"
#include "ask/prompt.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "policy/words.h"
#include "session/cache_key.h"
#include "session/client.h"
#include "session/what_runs.h"
#include "trust/could_write.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void desk_close(struct desk *desk)
{
	book_free(&desk->book);
	json_decref(desk->hello);
	free(desk->policies);
	free(desk->prefix);
	approver_close(&desk->approver);
	if (desk->fd >= 0)
		close(desk->fd);
}

/* Where the command writes, another can be put in place of the session. */
static int judge_session(const char *session, const json_t *doc, struct error *err)
{
	struct could_write w;
	int status = could_write_get(&w, doc, err);
	const char *why = status == 0 ? could_write(&w, session) : NULL;

	could_write_free(&w);
	return !why ? status
	            : error_set(err, EXIT_INPUT, "bad-session",
	                        "SBX_SESSION: \"%s\": %s; start the session elsewhere", session,
	                        why);
}

int desk_open_session(struct desk *desk, const json_t *doc, struct error *err)
{
	cleanup_json json_t *hello = NULL;
	const json_t *policies;

	if (!desk->session)
		return 0;
	if (judge_session(desk->session, doc, err) < 0)
		return -1;
	if (desk->fd >= 0)
		return 0;
	desk->fd = client_connect(desk->session, err);
	if (desk->fd < 0)
		return -1;
	hello = xjson(json_pack("{s:s}", "op", "hello"));
	desk->hello = client_call(desk->fd, hello, err);
	if (!desk->hello)
		return -1;
	policies = json_object_get(desk->hello, "policies");
	desk->policies = xrealloc_array(NULL, json_array_size(policies) + 1, sizeof(char *));
	for (size_t i = 0; i < json_array_size(policies); i++) {
		const char *policy = json_string_value(json_array_get(policies, i));

		if (!policy || !tree_knows_policy(policy))
			return error_set(err, EXIT_INPUT, "bad-session",
			                 "the session has a policy that is not known here");
		desk->policies[desk->ceiling.count++] = policy;
	}
	desk->ceiling.policies = desk->policies;
	desk->ceiling.mode = json_string_value(json_object_get(desk->hello, "mode"));
	return 0;
}

/* Asked by the policy, or by those of the session. */
static bool never_asks(const struct desk *desk, const struct question *q)
{
	for (size_t i = 0; i < desk->ceiling.count; i++)
		if (word_index(approval_names, desk->policies[i]) == ASK_NEVER)
			return true;
	return policy_asks(q->policy) == ASK_NEVER;
}

static bool can_be_widened(const struct desk *desk, const struct question *q)
{
	enum want want = q->judgement.want;

	return desk->fd >= 0 && !never_asks(desk, q) &&
	       mode_width(policy_mode(q->policy)) <= mode_width(MODE_WORKSPACE_WRITE) &&
	       strcmp(q->command.tool, "exec") == 0 &&
	       (want == WANT_RUN || want == WANT_RETRY || want == WANT_MORE);
}

void desk_look_at_scope(const struct desk *desk, struct question *q)
{
	cleanup_json json_t *binds = NULL, *message = NULL, *answer = NULL;
	const json_t *given;
	struct error ignored = {0};

	if (!can_be_widened(desk, q))
		return;
	binds = approval_binds(q->doc, &q->command, false, want_names[q->judgement.want]);
	message = xjson(json_pack("{s:s,s:O}", "op", "scope", "bind", json_array_get(binds, 0)));
	answer = client_call(desk->fd, message, &ignored);
	given = json_object_get(answer, "grant");
	/* Without an answer there is less, and a question. */
	if (!given || grant_get(given, &q->scope, &ignored) < 0)
		return;
	if (q->scope.outside) {
		grant_free(&q->scope);
		q->scope = (struct grant)GRANT_NOTHING;
	}
	grant_without_hidden(q->policy, &q->scope);
}

/* A no as well: an inbox shows the newest answers. */
static void tell_session(const struct desk *desk, const json_t *binds, json_t *answer,
                         const json_t *request)
{
	cleanup_json json_t *message = NULL, *reply = NULL;
	json_t *wanted = json_object_get(request, "grant");
	struct error ignored = {0};

	if (desk->fd < 0)
		return;
	message = xjson(json_pack("{s:s,s:O,s:O,s:O?}", "op", "store", "binds", binds, "answer",
	                          answer, "source", json_object_get(request, "source")));
	if (wanted)
		json_object_set(message, "wanted", wanted);
	reply = client_call(desk->fd, message, &ignored);
}

/* With what a command of this session could write before. */
static json_t *granted(const struct question *q)
{
	json_t *before = json_object_get(json_object_get(q->doc, "result"), "granted");
	cleanup_grant struct grant all = GRANT_NOTHING;
	struct error ignored = {0};

	if (grant_is_nothing(&q->scope) ||
	    (before && (grant_get(before, &all, &ignored) < 0 || all.outside)))
		return json_incref(before);
	grant_add(&all, &q->scope);
	return grant_json(&all);
}

/*
 * The document as far as the question is about it: approvers are judged by it, and an
 * inbox shows it.
 */
static json_t *judged_by(const struct question *q)
{
	json_t *result = json_object_get(q->doc, "result");
	cleanup_json json_t *so_far = result ? json_copy(result) : json_object();
	json_t *given = granted(q);

	/* The request has the end of what it said. */
	json_object_del(so_far, "stdout");
	json_object_del(so_far, "stderr");
	if (given)
		json_object_set_new(so_far, "granted", given);
	return xjson(json_pack("{s:O*,s:O*,s:O*,s:O}", "command",
	                       json_object_get(q->doc, "command"), "policy", q->policy, "sandbox",
	                       json_object_get(q->doc, "sandbox"), "result", so_far));
}

/* A command that stands still in one terminal may be asked about in another. */
static void say_who_is_asked(void)
{
	if (isatty(STDERR_FILENO))
		complain("waiting for an answer: the session asks its approver, or whoever has "
		         "sbx-approve --inbox open");
}

static json_t *ask_session(const struct desk *desk, const char *op, json_t *judged,
                           const json_t *request, const json_t *binds)
{
	cleanup_json json_t *message =
	        xjson(json_pack("{s:s,s:O,s:O,s:O}", "op", op, "request", request, "binds", binds,
	                        "document", judged));
	json_t *files = json_object_get(request, "files");
	json_t *wanted = json_object_get(request, "grant");
	struct error err = {0};
	json_t *answer;

	if (files)
		json_object_set(message, "files", files);
	if (wanted)
		json_object_set(message, "wanted", wanted);
	answer = client_call_slow(desk->fd, message, say_who_is_asked, &err);
	/* Whoever ended the session ended what was being asked. */
	if (!answer)
		return answer_denied("abort", err.message);
	if (answer_decision(answer))
		return answer;
	json_decref(answer);
	return NULL;
}

/* What is remembered is remembered of this command, under this policy, here. */
static json_t *binds_of(const struct question *q)
{
	json_t *binds, *bind;
	size_t i;

	if (q->host)
		return host_binds(q->doc, q->key);
	binds = approval_binds(q->doc, &q->command, question_outside(q),
	                       want_names[q->judgement.want]);
	if (strcmp(q->command.tool, "exec") == 0)
		json_array_foreach (binds, i, bind)
			json_object_set_new(bind, "runs", what_runs(&q->command));
	return binds;
}

static json_t *said_by(json_t *answer, const char *by)
{
	json_object_set_new(answer, "by", json_string(by));
	return answer;
}

/* Of this caller, and of no other question of its. */
static const char *prefix_of(struct desk *desk)
{
	if (!desk->prefix && desk->caller)
		desk->prefix = xasprintf("%s#%ld.", desk->caller, (long)getpid());
	else if (!desk->prefix)
		desk->prefix = xasprintf("%ld.%lld#", (long)getpid(), (long long)time(NULL));
	return desk->prefix;
}

/* Own approver, session, the sessions above it, the configured one, the terminal, nobody. */
json_t *desk_ask(struct desk *desk, const struct question *q, const json_t *request)
{
	cleanup_json json_t *binds = binds_of(q);
	cleanup_json json_t *judged = judged_by(q);
	bool own = desk->approver.place.kind != APPROVER_NOBODY;
	json_t *answer = NULL;

	if (desk->fd >= 0)
		answer = ask_session(desk, own ? "lookup" : "ask", judged, request, binds);
	if (answer)
		return answer;
	if (own)
		answer = said_by(approver_answer(&desk->approver, judged, request, prefix_of(desk),
		                                 desk->limit_ms),
		                 "approver");
	else if ((answer = configured_answer(judged, request, desk->limit_ms)) != NULL)
		said_by(answer, "approver");
	else
		answer = prompt_ask(q, request, desk->fd >= 0, desk->limit_ms);
	if (!answer)
		return NULL;
	if (!json_object_get(answer, "by"))
		said_by(answer, "user");
	tell_session(desk, binds, answer, request);
	return answer;
}
