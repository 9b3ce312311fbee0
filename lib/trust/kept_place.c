#include "trust/kept_place.h"

#include "base/cleanup.h"
#include "fs/home_directory.h"
#include "fs/path.h"

#include <stdlib.h>

char *kept_place(void)
{
	const char *state = getenv("XDG_STATE_HOME");
	cleanup_free char *home = NULL;

	if (state && path_is_normal(state))
		return path_join(state, "sbx");
	home = home_named();
	return home ? path_join(home, ".local/state/sbx") : NULL;
}
