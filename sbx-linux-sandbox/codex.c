#include "codex.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/json_pool.h"
#include "document/options.h"
#include "process/sibling.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum codex_option {
	CODEX_POLICY_CWD,
	CODEX_COMMAND_CWD,
	CODEX_POLICY,
	CODEX_PROFILE,
	CODEX_LANDLOCK,
	CODEX_PROXY,
	CODEX_NO_PROC,
};

static const struct option codex_options[] = {
        {CODEX_POLICY_CWD, "sandbox-policy-cwd", 0, "DIR", "the workspace of the policy"},
        {CODEX_COMMAND_CWD, "command-cwd", 0, "DIR", "where the command runs; there by default"},
        {CODEX_POLICY, "sandbox-policy", 0, "JSON", "a policy of the older form"},
        {CODEX_PROFILE, "permission-profile", 0, "JSON", "a permission profile"},
        {CODEX_LANDLOCK, "use-legacy-landlock", 0, NULL, "means nothing here"},
        {CODEX_PROXY, "allow-network-for-proxy", 0, NULL, "refused: there is no such proxy"},
        {CODEX_NO_PROC, "no-proc", 0, NULL, "means nothing here: it is probed"},
        {0},
};

static const struct program program = {
        .name = "codex-linux-sandbox",
        .synopsis = "--sandbox-policy-cwd DIR --sandbox-policy JSON [options] -- COMMAND [ARG...]",
        .purpose = "Run a command as codex's helper would, in the sandbox of sbx-run.",
        .tables = {codex_options},
};

/* The set that a profile becomes. */
#define SET "codex-linux-sandbox"

static void add_option(struct strings *words, const char *option, const char *value)
{
	strings_add(words, xstrdup(option));
	strings_add(words, xstrdup(value));
}

/* A JSON string, or list of them, is TOML as well. */
static void set(struct strings *words, const char *key, const json_t *value)
{
	cleanup_free char *text = xjson(json_text_dump(value, JSON_COMPACT | JSON_ENCODE_ANY));

	strings_add(words, xstrdup("--config"));
	strings_add(words, xasprintf("%s=%s", key, text));
}

static bool is(const json_t *value, const char *word)
{
	return json_is_string(value) && strcmp(json_string_value(value), word) == 0;
}

/* All four, so that nothing of the user's own file is added to them. */
static void workspace_write(struct strings *words, const json_t *policy)
{
	static const char *const flags[] = {"network_access", "exclude_tmpdir_env_var",
	                                    "exclude_slash_tmp"};
	cleanup_json json_t *none = xjson(json_array());
	const json_t *roots = json_object_get(policy, "writable_roots");

	set(words, "sandbox_workspace_write.writable_roots", roots ? roots : none);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		cleanup_free char *key = xasprintf("sandbox_workspace_write.%s", flags[i]);

		set(words, key,
		    json_is_true(json_object_get(policy, flags[i])) ? json_true() : json_false());
	}
}

/* Restricted reading is what a set says; it has no words in a mode. */
static int older(struct strings *words, const json_t *policy, struct error *err)
{
	static const char *const modes[] = {"read-only", "workspace-write", "danger-full-access",
	                                    "external-sandbox"};
	const json_t *type = json_object_get(policy, "type");
	const json_t *network = json_object_get(policy, "network_access");
	size_t i = 0;

	while (i < 4 && !is(type, modes[i]))
		i++;
	if (i == 4)
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--sandbox-policy: type: not a known policy");
	if (is(json_object_get(json_object_get(policy, "access"), "type"), "restricted") ||
	    is(json_object_get(json_object_get(policy, "read_only_access"), "type"), "restricted"))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--sandbox-policy: restricted reading: use --permission-profile");
	add_option(words, "--sandbox", modes[i]);
	if (i == 1)
		workspace_write(words, policy);
	else if (i != 2)
		add_option(words, "--network",
		           json_is_true(network) || is(network, "enabled") ? "on" : "loopback");
	return 0;
}

/* The key of a set for an entry's path; NULL: one that nobody knows, and that gives nothing. */
static const char *key_of(const json_t *path, const char **below)
{
	static const char *const special[][2] = {
	        {"root", ":root"},
	        {"minimal", ":minimal"},
	        {"project_roots", ":workspace_roots"},
	        {"current_working_directory", ":workspace_roots"},
	        {"tmpdir", ":tmpdir"},
	        {"slash_tmp", ":slash_tmp"},
	};
	const json_t *value = json_object_get(path, "value");

	*below = json_string_value(json_object_get(value, "subpath"));
	if (is(json_object_get(path, "type"), "path"))
		return json_string_value(json_object_get(path, "path"));
	if (is(json_object_get(path, "type"), "glob_pattern"))
		return json_string_value(json_object_get(path, "pattern"));
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (is(json_object_get(value, "kind"), special[i][0]))
			return special[i][1];
	return NULL;
}

/* permissions.SET.filesystem.KEY[.BELOW] = ACCESS */
static int entry(struct strings *words, const json_t *given, struct error *err)
{
	json_t *access = json_object_get(given, "access");
	const char *below, *key = key_of(json_object_get(given, "path"), &below);
	cleanup_json json_t *name = key ? xjson(json_string(key)) : NULL;
	cleanup_json json_t *sub = xjson(json_string(below ? below : "."));
	cleanup_free char *quoted = NULL, *inner = NULL, *whole = NULL;

	if (!is(access, "read") && !is(access, "write") && !is(access, "deny") &&
	    !is(access, "none"))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--permission-profile: access: expected read, write or deny");
	/* What is not understood opens nothing, and must not fail to close anything. */
	if (!key && !is(access, "read") && !is(access, "write"))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--permission-profile: an unknown special path is to be closed");
	if (below && key && strcmp(key, ":workspace_roots") != 0)
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--permission-profile: \"%s\": only the workspace has a subpath",
		                 key);
	if (!key) {
		complain("--permission-profile: an unknown special path, ignored");
		return 0;
	}
	quoted = xjson(json_text_dump(name, JSON_ENCODE_ANY));
	inner = xjson(json_text_dump(sub, JSON_ENCODE_ANY));
	/* Only the workspace has paths below it, and may have several entries. */
	whole = strcmp(key, ":workspace_roots") == 0
	                ? xasprintf("permissions." SET ".filesystem.%s.%s", quoted, inner)
	                : xasprintf("permissions." SET ".filesystem.%s", quoted);
	set(words, whole, access);
	return 0;
}

static int managed(struct strings *words, const json_t *profile, struct error *err)
{
	const json_t *files = json_object_get(profile, "file_system");
	const json_t *depth = json_object_get(files, "glob_scan_max_depth");
	bool network = is(json_object_get(profile, "network"), "enabled");
	size_t i;
	json_t *given;

	add_option(words, "--permissions", SET);
	add_option(words, "--network", network ? "on" : "loopback");
	if (is(json_object_get(files, "type"), "unrestricted")) {
		add_option(words, "--config", "permissions." SET ".filesystem.\":root\"=\"write\"");
		return 0;
	}
	if (!is(json_object_get(files, "type"), "restricted"))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--permission-profile: file_system: expected restricted or "
		                 "unrestricted");
	/* A set without an entry is one, too. */
	add_option(words, "--config", "permissions." SET ".description=\"codex-linux-sandbox\"");
	if (json_is_integer(depth))
		set(words, "permissions." SET ".filesystem.glob_scan_max_depth", depth);
	json_array_foreach (json_object_get(files, "entries"), i, given)
		if (entry(words, given, err) < 0)
			return -1;
	return 0;
}

static int newer(struct strings *words, const json_t *profile, struct error *err)
{
	const json_t *type = json_object_get(profile, "type");

	if (is(type, "managed"))
		return managed(words, profile, err);
	if (!is(type, "disabled") && !is(type, "external"))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--permission-profile: type: expected managed, disabled or "
		                 "external");
	add_option(words, "--sandbox",
	           is(type, "disabled") ? "danger-full-access" : "external-sandbox");
	return 0;
}

/* What was asked for. */
struct asked {
	const char *workspace, *cwd, *policy, *profile;
};

static int take(struct asked *asked, enum codex_option which, const char *value, struct error *err)
{
	switch (which) {
	case CODEX_POLICY_CWD:
		asked->workspace = value;
		return 0;
	case CODEX_COMMAND_CWD:
		asked->cwd = value;
		return 0;
	case CODEX_POLICY:
		asked->policy = value;
		return 0;
	case CODEX_PROFILE:
		asked->profile = value;
		return 0;
	case CODEX_PROXY:
		return error_set(err, EXIT_UNAVAILABLE, "proxy",
		                 "--allow-network-for-proxy: there is no such proxy here; list "
		                 "hosts with sbx-run --allow-host");
	case CODEX_LANDLOCK:
	case CODEX_NO_PROC:
		return 0;
	}
	return -1;
}

static int translate(struct strings *words, const struct asked *asked, struct error *err)
{
	const char *text = asked->profile ? asked->profile : asked->policy;
	json_error_t why;
	cleanup_json json_t *policy = text ? json_loads(text, JSON_REJECT_DUPLICATES, &why) : NULL;

	if (!text || (asked->policy && asked->profile))
		return error_set(err, EXIT_USAGE, "usage",
		                 "expected one of --sandbox-policy and --permission-profile");
	if (!policy)
		return error_set(err, EXIT_INPUT, "bad-policy", "the policy: %s at byte %d",
		                 why.text, why.position);
	add_option(words, "--ask-for-approval", "never");
	if (asked->workspace)
		add_option(words, "--cd", asked->workspace);
	return asked->profile ? newer(words, policy, err) : older(words, policy, err);
}

/* The oldest form: the policy is the first word. */
static void take_oldest(struct asked *asked, int argc, char **argv)
{
	if (argc > 2 && argv[1][0] == '{' && strcmp(argv[2], "--") == 0)
		asked->policy = argv[1];
}

static void add_command(struct strings *words, const struct asked *asked, char **command)
{
	strings_add(words, xstrdup("--"));
	if (asked->cwd && !(asked->workspace && strcmp(asked->cwd, asked->workspace) == 0)) {
		strings_add(words, xstrdup("env"));
		strings_add(words, xasprintf("--chdir=%s", asked->cwd));
	}
	while (*command)
		strings_add(words, xstrdup(*command++));
}

static int read_options(struct asked *asked, int argc, char **argv, char ***command,
                        struct error *err)
{
	const struct option *found;
	struct options options;
	const char *value;

	take_oldest(asked, argc, argv);
	if (asked->policy) {
		*command = argv + 3;
		return 0;
	}
	options_begin(&options, &program, argc, argv);
	while ((found = options_next(&options, &value, err)) != NULL)
		if (take(asked, (enum codex_option)found->id, value, err) < 0)
			return -1;
	*command = argv + options.next;
	return err->exit ? -1 : 0;
}

int codex_main(int argc, char **argv)
{
	struct strings words = {0};
	struct asked asked = {0};
	struct error err = {0};
	char **command = NULL;
	cleanup_free char *run = sibling_path("sbx-run", &err);

	strings_add(&words, xstrdup("sbx-run"));
	if (run && read_options(&asked, argc, argv, &command, &err) == 0 && !command[0])
		error_set(&err, EXIT_USAGE, "usage", "no command (try --help)");
	if (!err.exit && translate(&words, &asked, &err) == 0) {
		add_command(&words, &asked, command);
		execv(run, words.items);
		error_system(&err, "\"%s\"", run);
	}
	complain("%s", err.message);
	return 125;
}
