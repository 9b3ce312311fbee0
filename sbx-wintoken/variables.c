#include "variables.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/osstring.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static bool is_named(const char *variable, const char *name)
{
	size_t len = strlen(name);

	return strncasecmp(variable, name, len) == 0 && variable[len] == '=';
}

const char *variables_get(char *const *env, const char *name)
{
	for (; *env; env++)
		if (is_named(*env, name))
			return *env + strlen(name) + 1;
	return NULL;
}

static void remove_variable(char **env, const char *name)
{
	size_t used = 0;

	for (size_t i = 0; env[i]; i++) {
		if (is_named(env[i], name))
			free(env[i]);
		else
			env[used++] = env[i];
	}
	env[used] = NULL;
}

static void set_variable(char ***env, const char *name, const char *value)
{
	char *variable = xasprintf("%s=%s", name, value);
	size_t count = 0;

	remove_variable(*env, name);
	while ((*env)[count])
		count++;
	*env = xrealloc_array(*env, count + 2, sizeof(**env));
	(*env)[count] = variable;
	(*env)[count + 1] = NULL;
}

/* Words in front of a list with semicolons, and not again further back. */
static void put_first(char ***env, const char *name, const json_t *words, const char *otherwise)
{
	const char *old = variables_get(*env, name);
	cleanup_free char *value = xstrdup("");
	const json_t *word;
	size_t i;

	if (json_array_size(words) == 0)
		return;
	for (i = 0; (word = json_array_get(words, i)) != NULL; i++) {
		char *longer = xasprintf("%s%s%s", value, i ? ";" : "", json_string_value(word));

		free(value);
		value = longer;
	}
	for (old = old ? old : otherwise; *old;) {
		size_t len = strcspn(old, ";");
		bool known = len == 0;
		char *longer;

		for (i = 0; (word = json_array_get(words, i)) != NULL; i++)
			known |= json_string_length(word) == len &&
			         strncasecmp(json_string_value(word), old, len) == 0;
		longer = known ? xstrdup(value) : xasprintf("%s;%.*s", value, (int)len, old);
		free(value);
		value = longer;
		old += len + (old[len] == ';');
	}
	set_variable(env, name, value);
}

/* "/dev/null" as a value means the file, which has another name here. */
static void replace_values(char **env, json_t *replace)
{
	const char *from;
	json_t *to;

	json_object_foreach (replace, from, to) {
		for (size_t i = 0; env[i]; i++) {
			char *equals = strchr(env[i] + 1, '=');

			if (!equals || strcmp(equals + 1, from) != 0)
				continue;
			*equals = '\0';
			equals = xasprintf("%s=%s", env[i], json_string_value(to));
			free(env[i]);
			env[i] = equals;
		}
	}
}

void variables_apply(char ***env, const json_t *changes)
{
	const json_t *name;
	const char *key;
	json_t *value;
	size_t i;

	for (i = 0; (name = json_array_get(json_object_get(changes, "remove"), i)) != NULL; i++)
		remove_variable(*env, json_string_value(name));
	json_object_foreach (json_object_get(changes, "set"), key, value)
		set_variable(env, key, json_string_value(value));
	json_object_foreach (json_object_get(changes, "default"), key, value)
		if (!variables_get(*env, key))
			set_variable(env, key, json_string_value(value));
	put_first(env, "PATH", json_object_get(changes, "path_first"), "");
	put_first(env, "PATHEXT", json_object_get(changes, "pathext_first"), ".COM;.EXE;.BAT;.CMD");
	replace_values(*env, json_object_get(changes, "replace"));
}

#ifndef _WIN32
char **own_environment(void)
{
	extern char **environ;
	struct strings env = {0};

	for (char **from = environ; *from; from++)
		strings_add(&env, xstrdup(*from));
	return env.items;
}
#endif

char *own_variable(const char *name)
{
	cleanup_vector char **env = own_environment();
	const char *value = env ? variables_get(env, name) : NULL;

	return value && value[0] ? xstrdup(value) : NULL;
}
