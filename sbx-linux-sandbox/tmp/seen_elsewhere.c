#include "tmp/seen_elsewhere.h"

#include "fs/path.h"
#include "policy/slash_tmp.h"

#include <string.h>

const char *view_private(const struct view *view, const char *path)
{
	const char *rest;

	if (!view->tmp || !path_contains(view->tmp, path) ||
	    !tmp_decides(view->permissions, view->tmp, path))
		return NULL;
	rest = path + strlen(view->tmp);
	return *rest ? rest + 1 : ".";
}
