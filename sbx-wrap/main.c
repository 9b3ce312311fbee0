/*
 * sbx-wrap: policy + sandbox + command -> what to execute.
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/approval.h"
#include "document/options.h"
#include "document/osstring.h"
#include "document/platform.h"
#include "document/stage.h"
#include "engine/engine.h"
#include "filter.h"
#include "go_stamp.h"
#include "grant/effective.h"
#include "limits.h"
#include "linux.h"
#include "markers.h"
#include "policy/environment.h"
#include "policy/hidden.h"
#include "policy/loads_code.h"
#include "policy/own_loopback.h"
#include "policy/words.h"
#include "trust/host_tmp.h"
#include "wrap.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum own {
	OWN_PLATFORM,
	OWN_CAPTURED,
	OWN_OUTPUT,
	OWN_IMAGE,
};

static const struct option own_options[] = {
        {OWN_PLATFORM, "platform", 0, "NAME",
         "linux, macos, windows, oci, kubernetes or systemd; default: this machine's"},
        {OWN_CAPTURED, "captured", 0, NULL, "the output goes to a program: no colours, no pagers"},
        OPTIONS_HEADING("For engines: oci, kubernetes, systemd"),
        {OWN_OUTPUT, "output", 0, "DIR", "write there what the engine reads; it must not exist"},
        {OWN_IMAGE, "image", 0, "NAME", "the image of a pod"},
        {0},
};

static const struct program program = {
        .name = "sbx-wrap",
        .synopsis = "[options] <documents >documents",
        .purpose = "Adds \"exec\" to each document: the argv, environment and arg0 to execute.",
        .tables = {own_options},
        .notes = "Status: 0 documents written, 2 wrong usage, 3 bad input, 4 that sandbox is not\n"
                 "available, 5 a system call failed.\n"
                 "\n"
                 "  sbx-policy --auto -- make | sbx-approve | sbx-select | sbx-wrap\n"
                 "  sbx-policy --auto -- make | sbx-approve | sbx-select --platform systemd |\n"
                 "      sbx-wrap --platform systemd --output unit\n"
                 "\n"
                 "More in sbx-wrap(1).",
};

/* Which wrap each sandbox is, and where it can be made. */
static const struct sandbox_kind {
	const char *platform;
	const char *arg0;   /* the helper's name; NULL: the command is started itself */
	const char *filter; /* the sibling that wraps; NULL: this program does */
	const char *level;  /* windows_sandbox_level */
} kinds[] = {
        [SANDBOX_NONE] = {NULL, NULL, NULL, "disabled"},
        [SANDBOX_LINUX] = {"linux", "sbx-linux-sandbox", NULL, "disabled"},
        [SANDBOX_MACOS] = {"macos", NULL, "sbx-seatbelt", "disabled"},
        [SANDBOX_WINDOWS] = {"windows", NULL, "sbx-wintoken", "restricted-token"},
        [SANDBOX_OCI] = {"oci", NULL, NULL, "disabled"},
        [SANDBOX_KUBERNETES] = {"kubernetes", NULL, NULL, "disabled"},
        [SANDBOX_SYSTEMD] = {"systemd", NULL, NULL, "disabled"},
};

static int need(const json_t *doc, const char *member, const char *stage, struct error *err)
{
	if (json_is_object(json_object_get(doc, member)))
		return 0;
	return error_set(err, EXIT_INPUT, "missing-member",
	                 "%s: missing: the document has not been through %s", member, stage);
}

static const struct sandbox_kind *kind_of(const struct wrap *wrap, struct error *err)
{
	const struct sandbox_kind *kind = &kinds[wrap->type];

	if (!kind->platform || strcmp(kind->platform, wrap->options->platform) == 0)
		return kind;
	error_set(err, EXIT_UNAVAILABLE, "wrong-platform", "sandbox.type: %s needs --platform %s",
	          sandbox_names[wrap->type], kind->platform);
	return NULL;
}

static int type_of(const json_t *sandbox, enum sandbox_type *type, struct error *err)
{
	const char *word = json_string_value(json_object_get(sandbox, "type"));
	int index = word_index(sandbox_names, word);

	if (index < 0)
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "sandbox.type: \"%s\": not a sandbox", word ? word : "(missing)");
	*type = (enum sandbox_type)index;
	return 0;
}

/* A guarantee that the policy asks for is lost and nobody agreed to that. */
static int refuse_lost(const json_t *doc, const struct wrap *wrap, struct error *err)
{
	const json_t *first = json_array_get(json_object_get(wrap->sandbox, "lost"), 0);
	const char *guarantee = json_string_value(json_object_get(first, "guarantee"));
	const char *why = json_string_value(json_object_get(first, "why"));
	const char *cure = json_string_value(json_object_get(first, "cure"));

	if (wrap->type != SANDBOX_NONE || !first || approval_grants_no_sandbox(doc))
		return 0;
	return error_set(err, EXIT_UNAVAILABLE, "no-sandbox", "no sandbox: %s: %s (%s)",
	                 guarantee ? guarantee : "a guarantee of the policy is lost",
	                 why ? why : "not available here", cure ? cure : "see sbx-select --probe");
}

/* Without a sandbox nothing hides what the policy hides, whoever left it out. */
static int refuse_hidden(const json_t *doc, const struct wrap *wrap, struct error *err)
{
	/* The caller's own sandbox is the caller's own affair. */
	if (wrap->type != SANDBOX_NONE ||
	    policy_mode(json_object_get(doc, "policy")) == MODE_EXTERNAL)
		return 0;
	return hidden_check(doc, err);
}

/* Whoever asked for a preview has not asked for a run that changes something. */
static int refuse_unpreviewed(const struct wrap *wrap, struct error *err)
{
	if (!policy_is_previewed(wrap->policy) || (wrap->type == SANDBOX_LINUX && wrap->backend &&
	                                           strcmp(wrap->backend, "bubblewrap") == 0))
		return 0;
	return error_set(err, EXIT_UNAVAILABLE, "preview",
	                 "--preview: only mounts on Linux can show a copy, and this run would "
	                 "have none; run without --preview");
}

static int check_cwd(const struct wrap *wrap, struct error *err)
{
	struct stat st;

	/* What is on another system cannot be seen from here. */
	if (!platform_is_here(wrap->options->platform))
		return 0;
	if (stat(wrap->command.cwd, &st) < 0)
		return error_set(err, EXIT_INPUT, "bad-cwd", "cwd: \"%s\": %s", wrap->command.cwd,
		                 errno == ENOENT ? "no such directory" : strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return error_set(err, EXIT_INPUT, "bad-cwd", "cwd: \"%s\": not a directory",
		                 wrap->command.cwd);
	return 0;
}

/* What is executed on another system, or here around the command, may obey them. */
static bool drops_loaders(const struct wrap *wrap)
{
	bool inside = wrap->type == SANDBOX_LINUX || platform_is_engine(wrap->options->platform);

	return wrap->type != SANDBOX_NONE && !(inside && LOADERS_PASS);
}

static char **environment(const struct wrap *wrap, struct error *err)
{
	extern char **environ;
	cleanup_vector char **env =
	        environment_copy(wrap->command.env ? wrap->command.env : environ);
	const json_t *policy = json_object_get(wrap->policy, "shell_environment_policy");

	if (environment_apply_policy(&env, policy, drops_loaders(wrap), err) < 0)
		return NULL;
	markers_apply(&env, wrap);
	go_stamp_apply(&env, wrap);
	return keep_ptr(env);
}

static json_t *exec_member(const struct wrap *wrap, const struct sandbox_kind *kind,
                           char *const *argv, char *const *env)
{
	return xjson(json_pack("{s:o,s:o,s:o,s:s?,s:s,s:s}", "argv", os_vector(argv), "cwd",
	                       os_string(wrap->command.cwd), "env", os_environment(env), "arg0",
	                       kind->arg0, "sandbox", sandbox_names[wrap->type],
	                       "windows_sandbox_level", kind->level));
}

static json_t *wrap_exec(json_t *doc, const struct wrap *wrap, const struct sandbox_kind *kind,
                         char *const *env, struct error *err)
{
	char *const *argv = wrap->command.argv;
	cleanup_vector char **wrapped = NULL;
	cleanup_json json_t *given = NULL;
	size_t command = 0;

	if (kind->arg0) {
		argv = wrapped = linux_argv(wrap, &command, err);
		if (!wrapped)
			return NULL;
	}
	if ((strcmp(wrap->options->platform, "linux") == 0 ||
	     platform_is_engine(wrap->options->platform)) &&
	    limits_check(argv, command, env, err) < 0)
		return NULL;
	if (wrap->type >= SANDBOX_OCI)
		return engine_exec(doc, wrap, env, err);
	if (wrap->options->output) {
		error_set(err, EXIT_UNAVAILABLE, "no-sandbox",
		          "--output: the command gets no sandbox: %s",
		          json_string_value(json_object_get(wrap->sandbox, "reason")));
		return NULL;
	}
	if (!kind->filter)
		return exec_member(wrap, kind, argv, env);
	/* Our own document stays without "exec" until the answer is there. */
	given = xjson(json_copy(doc));
	json_object_set(given, "policy", wrap->policy);
	json_object_set_new(given, "exec", exec_member(wrap, kind, argv, env));
	return filter_exec(kind->filter, given, err);
}

static int wrap_command(json_t *doc, struct wrap *wrap, struct error *err)
{
	cleanup_vector char **env = NULL;
	const struct sandbox_kind *kind = NULL;
	json_t *exec;

	if (type_of(wrap->sandbox, &wrap->type, err) == 0)
		kind = kind_of(wrap, err);
	if (!kind || refuse_lost(doc, wrap, err) < 0 || refuse_hidden(doc, wrap, err) < 0 ||
	    refuse_unpreviewed(wrap, err) < 0 || check_cwd(wrap, err) < 0)
		return -1;
	env = environment(wrap, err);
	exec = env ? wrap_exec(doc, wrap, kind, env, err) : NULL;
	if (!exec)
		return -1;
	return json_object_set_new(doc, "exec", exec);
}

/*
 * With what an approver gave beyond the policy.  Only mounts can show another
 * /tmp, sbx-select has said so: elsewhere it is the host's before anything else
 * is asked, so that a patch, which may write in a private one, does not in it.
 * Only namespaces have a loopback of their own, and what is given can be one.
 */
static json_t *enforced_policy(json_t *doc, const char *backend, struct error *err)
{
	cleanup_json json_t *shared = NULL, *approval = NULL, *seen = NULL, *granted = NULL;

	if (effective_check(doc, err) < 0)
		return NULL;
	/* A runtime and systemd have both; a pod has the network of a cluster. */
	if (backend && (strcmp(backend, "bubblewrap") == 0 || strcmp(backend, "oci") == 0 ||
	                strcmp(backend, "systemd") == 0))
		return effective_policy(doc, err);
	if (backend && strcmp(backend, "kubernetes") == 0) {
		granted = effective_policy(doc, err);
		return granted ? without_own_loopback(granted) : NULL;
	}
	shared = tmp_shared(json_object_get(doc, "policy"));
	approval = xjson(json_copy(json_object_get(doc, "approval")));
	json_object_del(approval, "permissions");
	seen = xjson(json_copy(doc));
	json_object_set(seen, "policy", shared);
	json_object_set(seen, "approval", approval);
	granted = effective_policy(seen, err);
	return granted ? without_own_loopback(granted) : NULL;
}

static int wrap_document(json_t *doc, void *context, struct error *err)
{
	struct wrap wrap = {.options = context,
	                    .policy = json_object_get(doc, "policy"),
	                    .sandbox = json_object_get(doc, "sandbox")};
	cleanup_json json_t *enforced = NULL;
	int status;

	/* A plan from before must not outlive a refusal. */
	json_object_del(doc, "exec");
	if (need(doc, "policy", "sbx-policy", err) < 0 || approval_check(doc, err) < 0 ||
	    need(doc, "sandbox", "sbx-select", err) < 0)
		return -1;
	wrap.backend = json_string_value(json_object_get(wrap.sandbox, "backend"));
	if (command_get_for(wrap.options->platform, doc, &wrap.command, err) < 0)
		return -1;
	wrap.policy = enforced = enforced_policy(doc, wrap.backend, err);
	status = enforced ? permissions_get_for(wrap.options->platform,
	                                        json_object_get(enforced, "permissions"),
	                                        &wrap.permissions, err)
	                  : -1;
	if (status == 0)
		status = wrap_command(doc, &wrap, err);
	permissions_free(&wrap.permissions);
	command_free(&wrap.command);
	return status;
}

int main(int argc, char **argv)
{
	struct wrap_options chosen = {.platform = platform_own()};
	const struct option *option;
	struct options options;
	struct error err = {0};
	const char *value;

	stage_begin(program.name);
	options_begin(&options, &program, argc, argv);
	while ((option = options_next(&options, &value, &err)) != NULL) {
		switch ((enum own)option->id) {
		case OWN_CAPTURED:
			chosen.captured = true;
			break;
		case OWN_OUTPUT:
			chosen.output = value;
			break;
		case OWN_IMAGE:
			chosen.image = value;
			break;
		case OWN_PLATFORM:
			platform_parse(value, &chosen.platform, &err);
			break;
		}
		if (err.exit)
			break;
	}
	if (err.exit || options_end(&options, &err) < 0)
		return stage_fail(&err);
	return stage_stream(wrap_document, &chosen);
}
