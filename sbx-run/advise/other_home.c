#include "advise/other_home.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "trust/sensitive_places.h"

#include <string.h>
#include <sys/stat.h>

bool home_is_spelt(const json_t *argv)
{
	cleanup_free char *home = home_named();
	size_t i;
	json_t *word;

	json_array_foreach (argv, i, word)
		if (home && json_is_string(word) && strstr(json_string_value(word), home))
			return true;
	return false;
}

/* Not of a person: those have no dot.  Keys and start-up files are meant where they are. */
static bool is_own_file(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct stat st;

	return name[0] == '.' && !sensitive_path(path) &&
	       (lstat(path, &st) < 0 || S_ISREG(st.st_mode));
}

char *other_home(const json_t *policy, const json_t *denial)
{
	const json_t *value = json_object_get(denial, "path");
	struct error none = {0};
	cleanup_free char *path = value ? os_string_get(value, "path", &none) : NULL;
	cleanup_free char *parent = path && path[0] == '/' ? path_parent(path) : NULL;
	cleanup_free char *home = home_named();
	cleanup_free char *tmp = tmp_is_private(policy) ? slash_tmp() : NULL;

	if (!parent || !home || !tmp || strcmp(parent, home) != 0 || !path_is_normal(path) ||
	    !is_own_file(path))
		return NULL;
	return xasprintf("--env HOME=%s", tmp);
}

bool moves_home(const char *option, const char *value)
{
	return strcmp(option, "--env") == 0 && strncmp(value, "HOME=", 5) == 0;
}
