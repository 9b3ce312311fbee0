#include "ask/request.h"

#include "ask/least_grant.h"
#include "ask/offered.h"
#include "ask/preview_changes.h"
#include "ask/waiting_host.h"
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "command/given_variables.h"
#include "document/osstring.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

/* More than a person reads; the end says what went wrong. */
#define SAID_MAX 4096

/* The last of what the failed attempt printed, cleaned line by line. */
static void add_said(json_t *request, const json_t *said)
{
	struct error none = {0};
	cleanup_free char *text = said ? os_string_get(said, "result.stderr", &none) : NULL;
	size_t len = text ? strlen(text) : 0;
	char *tail = len > SAID_MAX ? text + len - SAID_MAX : text;
	cleanup_free char *out = xstrdup("");

	if (len == 0)
		return;
	while (((unsigned char)*tail & 0xc0) == 0x80)
		tail++;
	for (char *line = tail, *next; line; line = next) {
		cleanup_free char *clean = NULL;
		cleanup_free char *before = out;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		clean = text_clean(line);
		out = xasprintf("%s%s%s", before, clean, next ? "\n" : "");
	}
	json_object_set_new(request, "stderr", os_string(out));
}

json_t *request_for(const struct question *q, const char *reason, const json_t *risk,
                    const struct asking *asking)
{
	const json_t *command = json_object_get(q->doc, "command");
	const json_t *result = json_object_get(q->doc, "result");
	const json_t *given = json_object_get(command, "source");
	json_t *justification = json_object_get(command, "justification");
	json_t *denials = json_object_get(result, "denials");
	bool patch = strcmp(q->command.tool, "patch") == 0;
	cleanup_grant struct grant grant = GRANT_NOTHING;
	cleanup_free char *id = xasprintf("%ld.%lld", (long)getpid(), (long long)time(NULL));
	json_t *request, *options, *variables = given_variables(q->command.env);
	bool granting;

	if (q->judgement.want == WANT_RETRY)
		denials_grant(denials, &grant);
	else if (q->judgement.want == WANT_MORE)
		additional_grant(q->doc, &grant);
	else if (q->host)
		host_grant(q->doc, &grant);
	grant_without_hidden(q->policy, &grant);
	granting = !grant_is_nothing(&grant);
	options = offered_options(q, granting, asking->session);
	request = xjson(json_pack(
	        "{s:s,s:s,s:O,s:O,s:o,s:o,s:o,s:o,s:o,s:o,s:s,s:b,s:s}", "type",
	        patch ? "apply_patch_approval_request" : "exec_approval_request", "id", id,
	        "command", json_object_get(command, "argv"), "cwd", json_object_get(command, "cwd"),
	        "reason", os_string(reason), "justification",
	        justification ? json_incref(justification) : json_null(), "risk",
	        risk ? json_deep_copy(risk) : json_null(), "denials",
	        json_is_array(denials) ? json_incref(denials) : json_array(), "options", options,
	        "source",
	        json_is_string(given) ? json_string(json_string_value(given))
	                              : json_string(asking->source ? asking->source : "exec"),
	        "command_class", class_names[q->class], "outside", question_outside(q), "key", ""));

	json_object_set_new(request, "key", os_string(q->key));
	json_object_set_new(request, "means", offered_meaning(q, options, granting));
	offered_place(request, q, granting);
	if (variables)
		json_object_set_new(request, "variables", variables);
	if (asking->caller)
		json_object_set_new(request, "caller", os_string(asking->caller));
	if (granting) {
		json_object_set_new(request, "grant", grant_json(&grant));
		json_object_set_new(request, "sensitive", grant_sensitive(&grant));
	}
	if (!grant_is_nothing(&q->scope))
		json_object_set_new(request, "session_grant", grant_json(&q->scope));
	if (question_outside(q) && json_array_size(q->hidden) > 0)
		json_object_set(request, "hidden", q->hidden);
	if (q->host)
		json_object_set(request, "waiting", json_object_get(result, "waiting"));
	preview_changes_request(q->doc, request);
	if (q->judgement.want == WANT_RETRY)
		add_said(request, json_object_get(result, "stderr"));
	if (patch)
		json_object_set(request, "files", json_object_get(command, "files"));
	if (patch && json_object_get(command, "patch"))
		json_object_set(request, "patch", json_object_get(command, "patch"));
	return request;
}
