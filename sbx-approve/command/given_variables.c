#include "command/given_variables.h"

#include "base/memory.h"
#include "document/osstring.h"
#include "policy/loads_code.h"

#include <stdbool.h>
#include <string.h>

extern char **environ;

static bool is_ours(const char *variable)
{
	for (char **own = environ; *own; own++)
		if (strcmp(*own, variable) == 0)
			return true;
	return false;
}

static bool leads(const char *variable)
{
	size_t len = strcspn(variable, "=");

	return strncmp(variable, "PATH=", 5) == 0 || strncmp(variable, "HOME=", 5) == 0 ||
	       loader_variable(variable, len);
}

json_t *given_variables(char *const *env)
{
	json_t *list = xjson(json_array());
	size_t first = 0;

	for (; env && *env; env++) {
		if (is_ours(*env))
			continue;
		if (leads(*env))
			json_array_insert_new(list, first++, os_string(*env));
		else
			json_array_append_new(list, os_string(*env));
	}
	if (json_array_size(list) > 0)
		return list;
	json_decref(list);
	return NULL;
}
