#include "ask/offered.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "policy/hidden.h"
#include "policy/words.h"

#include <string.h>

/* A plain yes would leave the sandbox, or the policy has none. */
static bool is_bare(const struct question *q, bool grant)
{
	return q->command.preference == PREFERENCE_FORBID || question_full_access(q) ||
	       (question_outside(q) && !grant);
}

/* What hides something is no yes by itself; nor is a home directory the least of anything. */
static bool plain_yes(const struct question *q, bool grant)
{
	if (is_bare(q, grant) && json_array_size(q->hidden) > 0)
		return false;
	return grant || !question_wants_home(q);
}

/* Something can be named that is allowed: a place, or all that is hidden. */
static bool own_grant(const struct question *q)
{
	bool must_leave = q->command.preference == PREFERENCE_FORBID || question_full_access(q);

	return !q->host && !q->changes && q->judgement.want != WANT_PATCH &&
	       !(must_leave && json_array_size(q->hidden) > 0 && hidden_is_final(q->policy));
}

static void add(json_t *list, bool possible, const char *word)
{
	if (possible)
		json_array_append_new(list, xjson(json_string(word)));
}

json_t *offered_options(const struct question *q, bool grant, bool session)
{
	json_t *out = xjson(json_array());
	bool plain = plain_yes(q, grant), own = own_grant(q);

	add(out, own && grant, "grant");
	add(out, plain, "approved");
	add(out, session && !q->changes && (plain || own), "approved_for_session");
	add(out, q->judgement.want == WANT_PATCH && session, "grant_root");
	add(out, own && !grant, "grant");
	add(out, true, "denied");
	add(out, true, "abort");
	return out;
}

/* ---- in words -------------------------------------------------------------------- */

static const char *mode_of(const struct question *q)
{
	int mode = policy_mode(q->policy);
	const char *set = json_string_value(json_object_get(q->policy, "permission_set"));

	return set ? set : mode < 0 ? "?" : mode_names[mode];
}

static const char *network_of(const struct question *q, bool grant)
{
	const json_t *permissions = json_object_get(q->policy, "permissions");
	const char *network = json_string_value(json_object_get(permissions, "network"));

	return is_bare(q, grant) ? network_names[NETWORK_ON] : network ? network : "?";
}

/* What a plain yes does, up to "once". */
static char *plainly(const struct question *q, bool grant)
{
	if (q->host)
		return xasprintf("lets the command reach %s until it ends", q->host);
	if (q->changes)
		return xstrdup("makes all of the changes, or none if one cannot be made");
	if (q->judgement.want == WANT_PATCH)
		return xstrdup("changes the files");
	if (question_outside(q) && !grant)
		return xstrdup("runs it OUTSIDE the sandbox, with everything that you can do");
	if (is_bare(q, grant))
		return xstrdup("runs it with full access: the policy has no sandbox");
	return xasprintf("runs it in the sandbox (%s, network %s)%s", mode_of(q),
	                 network_of(q, grant), grant ? " with just the grant" : "");
}

static char *meaning(const struct question *q, const char *option, bool grant)
{
	cleanup_free char *plain = plainly(q, grant);

	if (q->changes && strcmp(option, "approved") != 0)
		return xstrdup(strcmp(option, "denied") == 0
		                       ? "forgets the changes; nothing was changed"
		                       : "keeps the changes; sbx-run --changes lists them");
	if (strcmp(option, "approved") == 0)
		return xasprintf("%s%s", plain, q->host ? "" : ", once");
	if (strcmp(option, "approved_for_session") == 0)
		return xasprintf("%s, and again without a question until the session ends%s", plain,
		                 grant && !q->host
		                         ? "; the grant is given to every command in this directory"
		                 : question_outside(q) ? " or a program or script of it changes"
		                                       : "");
	if (strcmp(option, "grant") == 0)
		return xstrdup("\"approved\" with a \"grant\" of your own: just that, in the "
		               "sandbox; or outside of it, with {\"sandbox\":\"none\"}");
	if (strcmp(option, "grant_root") == 0)
		return xstrdup("\"approved_for_session\" with a directory as \"grant_root\": every "
		               "patch to files below it, until the session ends");
	if (strcmp(option, "denied") == 0)
		return xstrdup(q->host ? "refuses the connection; the command goes on"
		                       : "does not run it; the caller goes on");
	return xstrdup(q->host ? "refuses the connection and ends the command"
	                       : "does not run it, and tells the caller to stop");
}

json_t *offered_meaning(const struct question *q, const json_t *options, bool grant)
{
	json_t *out = xjson(json_object());
	size_t i;
	json_t *option;

	json_array_foreach (options, i, option) {
		cleanup_free char *text = meaning(q, json_string_value(option), grant);

		json_object_set_new(out, json_string_value(option), os_string(text));
	}
	return out;
}

static json_t *roots(const json_t *policy)
{
	const json_t *given = json_object_get(policy, "writable_roots");
	json_t *out = xjson(json_array());
	size_t i;
	json_t *root;

	json_array_foreach (given, i, root)
		if (json_object_get(root, "root"))
			json_array_append(out, json_object_get(root, "root"));
	return out;
}

void offered_place(json_t *request, const struct question *q, bool grant)
{
	const json_t *permissions = json_object_get(q->policy, "permissions");
	const json_t *sandbox_policy = json_object_get(q->policy, "sandbox_policy");
	json_t *hosts = json_object_get(permissions, "hosts");
	json_t *asks = json_object_get(q->policy, "approval_policy");
	json_t *mode = json_object_get(sandbox_policy, "type");
	json_t *set = json_object_get(q->policy, "permission_set");

	json_object_set_new(
	        request, "policy",
	        xjson(json_pack("{s:O*,s:O*,s:O*,s:o}", "approval_policy", asks, "sandbox_policy",
	                        mode, "permission_set", set, "writable_roots", roots(q->policy))));
	json_object_set_new(request, "sandbox",
	                    json_string(is_bare(q, grant) ? "none" : mode_of(q)));
	json_object_set_new(request, "network",
	                    xjson(json_pack("{s:s,s:O*}", "access", network_of(q, grant), "hosts",
	                                    is_bare(q, grant) ? NULL : hosts)));
}
