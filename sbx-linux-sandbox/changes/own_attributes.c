#include "changes/own_attributes.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <sys/xattr.h>

static const char of_user[] = "user.", of_overlay[] = "user.overlay.",
                  lists[] = "system.posix_acl_";

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

bool is_own_attribute(const char *name)
{
	return (begins(name, of_user) && !begins(name, of_overlay)) || begins(name, lists);
}

static int copy_those(int from, int to, const char *kind)
{
	static char names[65536], value[65536];
	ssize_t len = flistxattr(from, names, sizeof(names));

	for (ssize_t at = 0; at < len; at += (ssize_t)strlen(names + at) + 1) {
		const char *name = names + at;
		ssize_t n;

		if (!is_own_attribute(name) || !begins(name, kind))
			continue;
		n = fgetxattr(from, name, value, sizeof(value));
		if ((n < 0 || fsetxattr(to, name, value, (size_t)n, 0) < 0) && errno != ENOTSUP)
			return -1;
	}
	return 0;
}

/* A list may take away from the owner what the others need. */
int own_attributes_copy(int from, int to)
{
	return copy_those(from, to, of_user) < 0 ? -1 : copy_those(from, to, lists);
}
