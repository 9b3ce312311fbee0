#include "policy/environment.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "policy/loads_code.h"

#include <ctype.h>
#include <string.h>

/* inherit = "core": what a shell needs to be usable, and nothing of a session. */
static const char *const core[] = {"PATH", "SHELL",  "TMPDIR",   "TEMP",    "TMP",  "HOME",
                                   "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "USER", NULL};

/* Dropped unless ignore_default_excludes: names that carry secrets. */
static const char *const secrets[] = {"*KEY*", "*SECRET*", "*TOKEN*", NULL};

/* What codex proves to others who it is with; no command of codex gets it either. */
static const char *const of_codex[] = {"NODE_REPL_AUTH_TOKEN",
                                       "OPENAI_FEDERATION_RULE_ID",
                                       "OPENAI_IDENTITY_TOKEN_FILE",
                                       "OPENAI_WORKLOAD_IDENTITY_CONTEXT",
                                       "CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN",
                                       NULL};

static size_t count(char *const *env)
{
	size_t n = 0;

	while (env[n])
		n++;
	return n;
}

static size_t name_length(const char *variable)
{
	return strcspn(variable, "=");
}

char **environment_copy(char *const *envp)
{
	char **out = xrealloc_array(NULL, count(envp) + 1, sizeof(*out));
	size_t used = 0;

	for (size_t i = 0; envp[i]; i++) {
		size_t len = name_length(envp[i]);

		/* execve() lets strings through that are no variables. */
		if (len > 0 && envp[i][len] == '=')
			out[used++] = xstrdup(envp[i]);
	}
	out[used] = NULL;
	return out;
}

/* The whole name, ignoring case; "*" is any bytes, "?" any one. */
static bool environment_matches(const char *pattern, const char *name, size_t len)
{
	const char *star = NULL;
	size_t at = 0, retry = 0;

	/* One star to come back to is enough; no recursion on the caller's text. */
	while (at < len) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = at;
		} else if (*pattern == '?' ||
		           (*pattern &&
		            tolower((unsigned char)*pattern) == tolower((unsigned char)name[at]))) {
			pattern++;
			at++;
		} else if (star) {
			pattern = star;
			at = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

static bool name_matches(const char *const *patterns, const char *name, size_t len)
{
	for (size_t i = 0; patterns[i]; i++)
		if (environment_matches(patterns[i], name, len))
			return true;
	return false;
}

static bool matches_any(const char *const *patterns, const char *variable)
{
	return name_matches(patterns, variable, name_length(variable));
}

bool environment_secret(const char *name, size_t len)
{
	return name_matches(secrets, name, len);
}

/* Keeps the variables that match (or, keep false, those that do not). */
static void filter(char **env, const char *const *patterns, bool keep)
{
	size_t used = 0;

	for (size_t i = 0; env[i]; i++) {
		if (matches_any(patterns, env[i]) == keep)
			env[used++] = env[i];
		else
			free(env[i]);
	}
	env[used] = NULL;
}

static void remove_loaders(char **env)
{
	size_t used = 0;

	for (size_t i = 0; env[i]; i++) {
		if (loader_variable(env[i], name_length(env[i])))
			free(env[i]);
		else
			env[used++] = env[i];
	}
	env[used] = NULL;
}

void environment_remove(char **env, const char *name)
{
	size_t used = 0, len = strlen(name);

	for (size_t i = 0; env[i]; i++) {
		if (name_length(env[i]) == len && strncmp(env[i], name, len) == 0)
			free(env[i]);
		else
			env[used++] = env[i];
	}
	env[used] = NULL;
}

void environment_set(char ***env, const char *name, const char *value)
{
	size_t n;

	environment_remove(*env, name);
	n = count(*env);
	*env = xrealloc_array(*env, n + 2, sizeof(**env));
	(*env)[n] = xasprintf("%s=%s", name, value);
	(*env)[n + 1] = NULL;
}

/* The patterns of one list; NULL with err filled, or an empty vector. */
static char **patterns_get(const json_t *json, const char *member, struct error *err)
{
	cleanup_free char *what = xasprintf("shell_environment_policy.%s", member);
	cleanup_json json_t *none = NULL;
	const json_t *list = json_object_get(json, member);

	if (!list || json_is_null(list))
		list = none = xjson(json_array());
	return os_vector_get(list, what, err);
}

static int inherit(char **env, const json_t *json, struct error *err)
{
	static const char *const nothing[] = {NULL};
	const json_t *value = json_object_get(json, "inherit");
	const char *word = json_string_value(value);

	if (!value || json_is_null(value) || (word && strcmp(word, "all") == 0))
		return 0;
	if (word && strcmp(word, "core") == 0)
		filter(env, core, true);
	else if (word && strcmp(word, "none") == 0)
		filter(env, nothing, true);
	else
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "shell_environment_policy.inherit: expected all, core or none");
	return 0;
}

static int set(char ***env, const json_t *json, struct error *err)
{
	json_t *object = json_object_get(json, "set");
	cleanup_vector char **variables = NULL;

	if (!object || json_is_null(object))
		return 0;
	variables = os_environment_get(object, "shell_environment_policy.set", err);
	if (!variables)
		return -1;
	for (size_t i = 0; variables[i]; i++) {
		char *equals = strchr(variables[i], '=');

		*equals = '\0';
		environment_set(env, variables[i], equals + 1);
	}
	return 0;
}

int environment_apply_policy(char ***env, const json_t *json, bool drop_loaders, struct error *err)
{
	const json_t *keep_secrets = json_object_get(json, "ignore_default_excludes");
	cleanup_vector char **exclude = NULL;
	cleanup_vector char **include_only = NULL;

	if (json && !json_is_null(json) && !json_is_object(json))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "shell_environment_policy: expected an object");
	exclude = patterns_get(json, "exclude", err);
	if (!exclude)
		return -1;
	include_only = patterns_get(json, "include_only", err);
	if (!include_only || inherit(*env, json, err) < 0)
		return -1;
	/* Anything but a plain true leaves the secrets out. */
	if (!json_is_true(keep_secrets))
		filter(*env, secrets, false);
	filter(*env, of_codex, false);
	filter(*env, (const char *const *)exclude, false);
	if (drop_loaders)
		remove_loaders(*env);
	if (set(env, json, err) < 0)
		return -1;
	/* An empty list is no list: it would leave the command nothing. */
	if (include_only[0])
		filter(*env, (const char *const *)include_only, true);
	return 0;
}
