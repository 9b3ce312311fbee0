#include "entries/inside_protected.h"

#include "fs/path.h"
#include "policy/protected_names.h"

#include <string.h>
#include <strings.h>

bool inside_git(const char *path)
{
	return path_has(path, ".git");
}

bool inside_protected(const char *path)
{
	for (const char *const *name = protected_names; *name; name++)
		if (path_has(path, *name))
			return true;
	return false;
}

bool is_called_git(const char *path)
{
	return strcasecmp(strrchr(path, '/'), "/.git") == 0;
}
