#include "linux/overlay_fit.h"

#ifdef __linux__

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "linux/kernel_release.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/vfs.h>

bool overlay_can_keep(const char *path)
{
	cleanup_free char *place = xstrdup(path);
	struct statfs fs;

	/* The first that ordinary users may mount. */
	if (!kernel_at_least(5, 11))
		return false;
	while (statfs(place, &fs) < 0) {
		char *above;

		if (errno != ENOENT || !place[1])
			return false;
		above = path_parent(place);
		free(place);
		place = above;
	}
	/* As the root of most containers is: none can be the upper part of another. */
	return fs.f_type != OVERLAYFS_SUPER_MAGIC;
}

#else

bool overlay_can_keep(const char *path)
{
	(void)path;
	return false;
}

#endif
