#include "command.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/osstring.h"
#include "policy/environment.h"
#include "policy/permissions.h"
#include "policy/words.h"
#include "process/sibling.h"

#include <string.h>

/* This path and no other: a PATH is the attacker's word. */
#define SANDBOX_EXEC "/usr/bin/sandbox-exec"

/* What sbx-wrap's policy would let through in any case, and its marks. */
static json_t *own_environment(const struct command *command, const json_t *doc, struct error *err)
{
	extern char **environ;
	cleanup_vector char **env = environment_copy(command->env ? command->env : environ);
	cleanup_json json_t *core = xjson(json_pack("{s:s}", "inherit", "core"));
	const json_t *policy = json_object_get(doc, "policy");
	const char *network = json_string_value(
	        json_object_get(json_object_get(policy, "permissions"), "network"));

	if (environment_apply_policy(&env, core, true, err) < 0)
		return NULL;
	environment_set(&env, "CODEX_SANDBOX", "seatbelt");
	environment_set(&env, "SBX_SANDBOX", sandbox_names[SANDBOX_MACOS]);
	if (!network || strcmp(network, "on") != 0)
		environment_set(&env, "CODEX_SANDBOX_NETWORK_DISABLED", "1");
	return os_environment(env);
}

/* Made here when sbx-wrap has not made it. */
static int make_exec(json_t *doc, struct error *err)
{
	struct command command;
	json_t *env;

	if (json_object_get(doc, "exec"))
		return 0;
	if (command_get(doc, &command, err) < 0)
		return -1;
	env = own_environment(&command, doc, err);
	if (env)
		json_object_set_new(
		        doc, "exec",
		        xjson(json_pack("{s:o,s:o,s:o,s:n,s:s,s:s}", "argv",
		                        os_vector(command.argv), "cwd", os_string(command.cwd),
		                        "env", env, "arg0", "sandbox", sandbox_names[SANDBOX_MACOS],
		                        "windows_sandbox_level", "disabled")));
	command_free(&command);
	return env ? 0 : -1;
}

static bool wants_log(const json_t *doc)
{
	const json_t *own = json_object_get(json_object_get(doc, "policy"), "sbx");

	return json_is_true(json_object_get(own, "log_denials"));
}

/* The list for --hosts, to be freed; NULL: the network is none by name. */
static int get_hosts(const json_t *doc, char **list, struct error *err)
{
	const json_t *permissions = json_object_get(json_object_get(doc, "policy"), "permissions");
	struct permissions held;

	*list = NULL;
	if (permissions_get(permissions, &held, err) < 0)
		return -1;
	if (held.network == NETWORK_HOSTS)
		*list = xstrdup("");
	for (size_t i = 0; *list && i < held.hosts.count; i++) {
		cleanup_free char *rule = host_rule_text(&held.hosts.rules[i]);
		char *longer = xasprintf("%s%s%s", *list, i ? " " : "", rule);

		free(*list);
		*list = longer;
	}
	permissions_free(&held);
	return 0;
}

static bool takes_any_server_name(const json_t *doc)
{
	const json_t *own = json_object_get(json_object_get(doc, "policy"), "sbx");
	const char *word =
	        json_string_value(json_object_get(json_object_get(own, "network"), "sni"));

	return word && strcmp(word, "off") == 0;
}

/* Where somebody has to be there beside it: who reads the log, or the proxy. */
static int run_by_ourselves(const json_t *doc, bool log, struct strings *argv, struct error *err)
{
	cleanup_free char *hosts = NULL;
	char *self;

	if (get_hosts(doc, &hosts, err) < 0)
		return -1;
	if (!log && !hosts)
		return 0;
	self = sibling_path("sbx-seatbelt", err);
	if (!self)
		return -1;
	strings_add(argv, self);
	if (log)
		strings_add(argv, xstrdup("--log-denials"));
	if (hosts) {
		strings_add(argv, xstrdup("--hosts"));
		strings_add(argv, keep_ptr(hosts));
		if (takes_any_server_name(doc))
			strings_add(argv, xstrdup("--any-server-name"));
	}
	strings_add(argv, xstrdup("--"));
	return 0;
}

int command_wrap(json_t *doc, const struct profile *profile, bool log_denials, struct error *err)
{
	cleanup_vector char **command = NULL;
	struct strings argv = {0};
	json_t *exec;

	if (make_exec(doc, err) < 0)
		return -1;
	exec = json_object_get(doc, "exec");
	command = os_vector_get(json_object_get(exec, "argv"), "exec.argv", err);
	if (!command)
		return -1;
	if (!command[0])
		return error_set(err, EXIT_INPUT, "bad-document", "exec.argv: no command");
	if (run_by_ourselves(doc, log_denials || wants_log(doc), &argv, err) < 0) {
		strings_free(&argv);
		return -1;
	}
	if (argv.count > 0)
		json_object_set_new(exec, "arg0", xjson(json_string("sbx-seatbelt")));
	strings_add(&argv, xstrdup(SANDBOX_EXEC));
	strings_add(&argv, xstrdup("-p"));
	strings_add(&argv, xstrdup(profile->text));
	for (size_t i = 0; i < profile->params.count; i++)
		strings_add(&argv, xasprintf("-D%s", profile->params.items[i]));
	/* A command may begin with a dash; nothing after this is an option. */
	strings_add(&argv, xstrdup("--"));
	for (size_t i = 0; command[i]; i++)
		strings_add(&argv, xstrdup(command[i]));
	json_object_set_new(exec, "argv", os_vector(argv.items));
	strings_free(&argv);
	return 0;
}
