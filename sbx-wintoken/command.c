#include "command.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/document.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "plan_words.h"
#include "policy/words.h"
#include "spelling/quote.h"
#include "variables.h"

#include <stdbool.h>
#include <strings.h>

/* By name: whoever executes the document takes the one next to itself. */
#define LAUNCHER "sbx-wintoken.exe"

/* What programs of Windows need to start at all. */
static const char *const core[] = {
        "PATH",        "PATHEXT",      "SYSTEMROOT",
        "WINDIR",      "SYSTEMDRIVE",  "COMSPEC",
        "TEMP",        "TMP",          "TMPDIR",
        "USERNAME",    "USERPROFILE",  "HOMEDRIVE",
        "HOMEPATH",    "HOME",         "APPDATA",
        "PROGRAMDATA", "LOCALAPPDATA", "PROGRAMFILES",
        "USERNAME",    "OS",           "LANG",
        "LC_ALL",      "LC_CTYPE",     "LOGNAME",
        "USER",        "SHELL",        "NUMBER_OF_PROCESSORS",
};

static bool is_core(const char *name)
{
	for (size_t i = 0; i < sizeof(core) / sizeof(core[0]); i++)
		if (strcasecmp(name, core[i]) == 0)
			return true;
	return false;
}

static json_t *core_environment(const struct command *command)
{
	cleanup_vector char **own = command->env ? NULL : own_environment();
	char **from = own ? own : command->env;
	json_t *all = from ? os_environment(from) : xjson(json_object());
	json_t *kept = xjson(json_object());
	const char *name;
	json_t *value;

	json_object_foreach (all, name, value)
		if (is_core(name))
			json_object_set(kept, name, value);
	json_decref(all);
	return kept;
}

/* Made here when sbx-wrap has not made it. */
static int make_exec(json_t *doc, struct error *err)
{
	struct command command;

	if (json_object_get(doc, "exec"))
		return 0;
	if (command_get_for("windows", doc, &command, err) < 0)
		return -1;
	json_object_set_new(
	        doc, "exec",
	        xjson(json_pack("{s:o,s:o,s:o,s:n,s:s,s:s}", "argv", os_vector(command.argv), "cwd",
	                        os_string(command.cwd), "env", core_environment(&command), "arg0",
	                        "sandbox", sandbox_names[SANDBOX_WINDOWS], "windows_sandbox_level",
	                        PLAN_LEVEL)));
	command_free(&command);
	return 0;
}

static char **launcher_argv(char *const *command, const json_t *plan)
{
	struct strings argv = {0};

	strings_add(&argv, xstrdup(LAUNCHER));
	strings_add(&argv, xstrdup("--plan-json"));
	strings_add(&argv, xjson(json_text_dump(plan, JSON_COMPACT)));
	/* A command may begin with a dash; nothing after this is an option. */
	strings_add(&argv, xstrdup("--"));
	for (; *command; command++)
		strings_add(&argv, xstrdup(*command));
	return argv.items;
}

int command_wrap(json_t *doc, const json_t *plan, struct error *err)
{
	cleanup_vector char **command = NULL, **argv = NULL, **env = NULL;
	cleanup_free char *line = NULL;
	json_t *exec;

	if (make_exec(doc, err) < 0)
		return -1;
	exec = json_object_get(doc, "exec");
	command = os_vector_get(json_object_get(exec, "argv"), "exec.argv", err);
	env = command ? os_environment_get(json_object_get(exec, "env"), "exec.env", err) : NULL;
	if (!env)
		return -1;
	if (!command[0])
		return error_set(err, EXIT_INPUT, "bad-document", "exec.argv: no command");
	argv = launcher_argv(command, plan);
	/* Better one clear line here than a launcher that cannot be started. */
	line = quote_command(argv, err);
	if (!line)
		return -1;
	variables_apply(&env, json_object_get(plan, "environment"));
	json_object_set(exec, "cwd", json_object_get(plan, "cwd"));
	json_object_set_new(exec, "argv", os_vector(argv));
	json_object_set_new(exec, "env", os_environment(env));
	json_object_set(exec, "windows_sandbox_level",
	                json_object_get(plan, "windows_sandbox_level"));
	return 0;
}
