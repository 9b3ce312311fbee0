#include "trust/kept_place.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/home_directory.h"
#include "fs/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *kept_place(void)
{
	const char *state = getenv("XDG_STATE_HOME");
	cleanup_free char *home = NULL;

	if (state && path_is_normal(state))
		return path_join(state, "sbx");
	home = home_named();
	return home ? path_join(home, ".local/state/sbx") : NULL;
}

int kept_make(const char *kept)
{
	cleanup_free char *path = xstrdup(kept);
	int refused = ENOENT;

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) < 0 && errno != EEXIST) {
			/* It may be there all the same, where nobody may look. */
			if (errno != EROFS && errno != EACCES)
				return -1;
			refused = errno;
		}
		*slash = '/';
	}
	if (mkdir(path, 0700) == 0 || errno == EEXIST)
		return 0;
	/* What is missing above was not made, and that is why. */
	if (errno == ENOENT)
		errno = refused;
	return -1;
}
