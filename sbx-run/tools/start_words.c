#include "tools/start_words.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "policy/words.h"
#include "rpc/message.h"
#include "tools/operator.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static void add(struct strings *words, const char *option, const char *value)
{
	strings_add(words, xstrdup(option));
	if (value)
		strings_add(words, xstrdup(value));
}

/* Without a sandbox there is nothing that a root could narrow. */
static bool is_held(const struct server *server)
{
	enum mode mode = policy_mode(server->policy);

	return mode == MODE_READ_ONLY || mode == MODE_WORKSPACE_WRITE;
}

static char *root_at(const json_t *roots, size_t i)
{
	struct error none = {0};
	char *path = os_string_get(json_array_get(roots, i), "root", &none);

	return path ? path : xstrdup("");
}

/* Where a client without roots works: a directory that no workspace is in. */
static const char nowhere[] = "/dev/fd";

static void narrow(struct strings *words, const struct server *server,
                   const struct request *request)
{
	size_t count = json_array_size(request->roots);

	if (!request->roots || !is_held(server))
		return;
	for (size_t i = 0; i < count; i++) {
		cleanup_free char *path = root_at(request->roots, i);

		add(words, "--narrow", path);
	}
	if (count == 0)
		add(words, "--narrow", nowhere);
}

json_t *narrowed_to(const struct server *server, const struct request *request)
{
	cleanup_free char *workspace = operator_workspace(server);
	json_t *list;

	if (!request->roots || !is_held(server))
		return NULL;
	list = xjson(json_array());
	for (size_t i = 0; i < json_array_size(request->roots); i++) {
		cleanup_free char *root = root_at(request->roots, i);
		cleanup_free char *path = realpath(root, NULL);

		if (path && path_contains(path, workspace)) {
			json_decref(list);
			return NULL;
		}
		if (path && path_contains(workspace, path))
			json_array_append_new(list, os_string(path));
	}
	return list;
}

void policy_words(struct strings *words, const struct server *server, const struct request *request)
{
	add(words, "sbx-policy", NULL);
	operator_words(words, server->arguments, true);
	narrow(words, server, request);
}

static void add_asked(struct strings *words, const struct arguments *a, enum asked asked)
{
	if (asked == ASKED_CLIENT || asked == ASKED_NOBODY)
		add(words, "--approver", "fd:5");
	else if (asked == ASKED_APPROVER)
		add(words, "--approver", a->approver_said);
	/* A person at a client has more windows than one. */
	if (a->approver_timeout || asked == ASKED_CLIENT)
		add(words, "--approver-timeout", a->approver_timeout ? a->approver_timeout : "10m");
	if (a->caller)
		add(words, "--caller", a->caller);
}

void run_words(struct strings *words, const struct server *server, const struct request *request,
               enum asked asked, bool document)
{
	const struct arguments *a = server->arguments;

	add(words, "sbx-run", NULL);
	operator_words(words, a, document);
	narrow(words, server, request);
	add_asked(words, a, asked);
	for (size_t i = 0; i < STAGE_COUNT; i++) {
		cleanup_free char *stage =
		        a->replaced[i] ? xasprintf("%s=%s", stage_programs[i] + strlen("sbx-"),
		                                   a->replaced[i])
		                       : NULL;

		if (stage)
			add(words, "--stage", stage);
	}
	if (a->audit_file)
		add(words, "--audit", a->audit_file);
	if (a->verbose)
		add(words, "--verbose", NULL);
	add(words, "--report", "off");
	add(words, "--result-fd", "4");
	if (document)
		add(words, "--command-fd", "3");
}

/* Relative to the workspace; where the client works in it, when nothing is said. */
static char *directory_of(const struct server *server, const struct request *request)
{
	const char *said = plain_text(json_object_get(request->arguments, "cwd"));
	cleanup_free char *workspace = operator_workspace(server);
	cleanup_json json_t *narrowed = narrowed_to(server, request);

	if (said)
		return said[0] == '/' ? xstrdup(said) : path_join(workspace, said);
	return json_array_size(narrowed) > 0 ? root_at(narrowed, 0) : xstrdup(workspace);
}

/* A line is for the shell that people mean. */
static json_t *words_of(json_t *command)
{
	const char *shell = access("/bin/bash", X_OK) == 0 || access("/usr/bin/bash", X_OK) == 0
	                            ? "bash"
	                            : "sh";

	return json_is_array(command) ? json_incref(command)
	                              : xjson(json_pack("[s,s,O]", shell, "-c", command));
}

/* That of the client, with what was given; NULL: as it is. */
static json_t *environment_of(const struct request *request, bool pty)
{
	json_t *given = json_object_get(request->arguments, "env");
	json_t *env;

	if (!given && !pty)
		return NULL;
	env = os_environment(environ);
	json_object_del(env, "SBX_SESSION");
	if (pty)
		json_object_set_new(env, "TERM", json_string("dumb"));
	if (given)
		json_object_update(env, given);
	return env;
}

/* What was said in either of the two ways; NULL: nothing. */
static json_t *wanted_permissions(const struct request *request)
{
	json_t *more = json_object_get(request->arguments, "additional_permissions");
	json_t *hosts = json_object_get(request->arguments, "hosts");
	json_t *out = more ? xjson(json_deep_copy(more)) : xjson(json_object());

	if (hosts) {
		json_t *listed = json_object_get(out, "hosts");

		if (listed)
			json_array_extend(listed, hosts);
		else
			json_object_set_new(out, "hosts", xjson(json_deep_copy(hosts)));
	}
	if (json_object_get(out, "hosts") && !json_object_get(out, "network"))
		json_object_set_new(out, "network", json_string("hosts"));
	if (json_object_size(out) > 0)
		return out;
	json_decref(out);
	return NULL;
}

static json_int_t limit_of(const struct server *server, const struct request *request)
{
	double said = json_number_value(json_object_get(request->arguments, "timeout"));
	int64_t wanted = (int64_t)(said * 1000), most = operator_timeout(server->arguments);

	return (json_int_t)(wanted > 0 && (most == 0 || wanted < most) ? wanted : most);
}

/* JSON has more names than an environment. */
static char *wrong_name(const json_t *env)
{
	json_t *given = json_object_get(env, "env");
	const char *name;
	json_t *value;

	json_object_foreach (given, name, value)
		if (!*name || strchr(name, '='))
			return xasprintf("arguments.env: \"%s\": not the name of a variable", name);
	return NULL;
}

json_t *command_document(const struct server *server, const struct request *request, bool pty,
                         char **why)
{
	json_t *justification = json_object_get(request->arguments, "justification");
	cleanup_free char *cwd = directory_of(server, request);
	json_t *env, *more, *command;

	*why = wrong_name(request->arguments);
	if (*why)
		return NULL;
	command = xjson(json_pack("{s:o,s:o,s:I,s:s,s:s,s:b,s:O*}", "argv",
	                          words_of(json_object_get(request->arguments, "command")), "cwd",
	                          os_string(cwd), "timeout_ms", limit_of(server, request), "tool",
	                          "exec", "preference", operator_preference(server->arguments),
	                          "escalate", 0, "justification", justification));
	env = environment_of(request, pty);
	if (env)
		json_object_set_new(command, "env", env);
	more = wanted_permissions(request);
	if (more)
		json_object_set_new(command, "additional_permissions", more);
	return xjson(json_pack("{s:i,s:o}", "sbx", 1, "command", command));
}
