#include "own.h"

#include "base/memory.h"
#include "document/osstring.h"
#include "variables.h"

#ifndef _WIN32
char **own_environment(void)
{
	extern char **environ;
	size_t count = 0;
	char **env;

	while (environ[count])
		count++;
	env = xrealloc_array(NULL, count + 1, sizeof(*env));
	for (size_t i = 0; i < count; i++)
		env[i] = xstrdup(environ[i]);
	env[count] = NULL;
	return env;
}
#endif

char *own_variable(const char *name)
{
	cleanup_vector char **env = own_environment();
	const char *value = env ? variables_get(env, name) : NULL;

	return value && value[0] ? xstrdup(value) : NULL;
}
