#include "supervise/wrapped.h"

#include "document/document.h"
#include "document/osstring.h"
#include "document/platform.h"
#include "policy/words.h"

#include <stdlib.h>
#include <string.h>

static const char *text(const json_t *doc, const char *member, const char *inner)
{
	const char *s = json_string_value(json_object_get(json_object_get(doc, member), inner));

	return s ? s : "";
}

static int check_approved(const json_t *doc, struct error *err)
{
	static const char *const allowed[] = {"skip", "approved", "approved_for_session"};
	const char *decision = text(doc, "approval", "decision");
	const char *reason = text(doc, "approval", "reason");

	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		if (strcmp(decision, allowed[i]) == 0)
			return 0;
	return error_set(err, EXIT_DENIED, "not-approved", "not approved: %s%s%s",
	                 *decision ? decision : "the document has not been through sbx-approve",
	                 *reason ? ": " : "", reason);
}

static int check_error(const json_t *doc, struct error *err)
{
	int status = document_error(doc);

	if (status == 0)
		return 0;
	return error_set(err, status, "failed-document", "the document failed in %s: %s",
	                 *text(doc, "error", "stage") ? text(doc, "error", "stage") : "a stage",
	                 *text(doc, "error", "message") ? text(doc, "error", "message")
	                                                : "no reason given");
}

/* What this program knows how to supervise. */
static int get_sandbox(const json_t *doc, struct wrapped *w, struct error *err)
{
	const char *sandbox = text(doc, "exec", "sandbox");
	const char *selected = text(doc, "sandbox", "type");
	int type = word_index(sandbox_names, sandbox);
	bool seatbelt = type == SANDBOX_MACOS;

	/* sandbox-exec reports nothing; what watches the log for it has a name. */
	w->observed = type == SANDBOX_LINUX;
	w->sandboxed = w->observed || (seatbelt && w->arg0);
	w->confined = w->sandboxed || seatbelt;
	if ((!w->confined && type != SANDBOX_NONE) ||
	    (seatbelt && strcmp(platform_own(), "macos") != 0))
		return error_set(err, EXIT_UNAVAILABLE, "sandbox",
		                 "exec.sandbox: \"%s\": cannot be run here (none, linux-seccomp)",
		                 sandbox);
	if (*selected && strcmp(selected, sandbox) != 0)
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "exec.sandbox is \"%s\" but sandbox.type is \"%s\"", sandbox,
		                 selected);
	if (w->confined && w->argv[0][0] != '/')
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "exec.argv[0]: \"%s\": the helper's path must be absolute",
		                 w->argv[0]);
	return 0;
}

static int get_timeout(const json_t *doc, struct wrapped *w, struct error *err)
{
	const json_t *ms = json_object_get(json_object_get(doc, "command"), "timeout_ms");

	if (ms && (!json_is_integer(ms) || json_integer_value(ms) < 0))
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "command.timeout_ms: expected a number of ms");
	w->timeout_ms = json_integer_value(ms);
	return 0;
}

static int get_exec(const json_t *doc, struct wrapped *w, struct error *err)
{
	const json_t *exec = json_object_get(doc, "exec");
	const json_t *arg0 = json_object_get(exec, "arg0");

	if (!json_is_object(exec))
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "exec: missing; the document was not wrapped");
	w->argv = os_vector_get(json_object_get(exec, "argv"), "exec.argv", err);
	if (!w->argv)
		return -1;
	if (!w->argv[0] || !w->argv[0][0])
		return error_set(err, EXIT_INPUT, "bad-document", "exec.argv: no command");
	if (arg0 && !json_is_null(arg0) && !(w->arg0 = os_string_get(arg0, "exec.arg0", err)))
		return -1;
	w->cwd = os_string_get(json_object_get(exec, "cwd"), "exec.cwd", err);
	if (!w->cwd)
		return -1;
	if (w->cwd[0] != '/')
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "exec.cwd: \"%s\": not an absolute path", w->cwd);
	w->env = os_environment_get(json_object_get(exec, "env"), "exec.env", err);
	return w->env ? 0 : -1;
}

int wrapped_get(const json_t *doc, struct wrapped *w, struct error *err)
{
	memset(w, 0, sizeof(*w));
	if (check_error(doc, err) < 0 || check_approved(doc, err) < 0 ||
	    get_exec(doc, w, err) < 0 || get_sandbox(doc, w, err) < 0 ||
	    get_timeout(doc, w, err) < 0 ||
	    limits_get(json_object_get(json_object_get(doc, "policy"), "limits"), &w->limits, err) <
	            0) {
		wrapped_free(w);
		return -1;
	}
	return 0;
}

void wrapped_free(struct wrapped *w)
{
	os_vector_free(w->argv);
	os_vector_free(w->env);
	free(w->arg0);
	free(w->cwd);
	memset(w, 0, sizeof(*w));
}
