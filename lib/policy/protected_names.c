#include "policy/protected_names.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

const char *const protected_names[] = {
        ".git",    /* hooks and config run programs on the host later */
        ".agents", /* instructions and skills that the next agent obeys */
        ".codex",  /* a project's own configuration of the sandbox */
        NULL,
};

bool inside_protected_name(const char *path)
{
	for (const char *at = path; at && *at == '/'; at = strchr(at + 1, '/')) {
		size_t len = strcspn(at + 1, "/");

		for (const char *const *name = protected_names; *name; name++)
			if (strlen(*name) == len && strncasecmp(at + 1, *name, len) == 0)
				return true;
	}
	return false;
}
