#include "trust/own_places.h"

#include "base/cleanup.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "process/sibling.h"
#include "trust/settings_home.h"

#include <stdlib.h>

char *own_place(unsigned i)
{
	const char *session = getenv("SBX_SESSION");
	struct error none = {0};
	cleanup_free char *place = NULL;

	switch (i / 2) {
	case 0:
		place = program_directory(&none);
		break;
	case 1:
		place = settings_home();
		break;
	default:
		place = session && path_is_normal(session) ? path_parent(session) : NULL;
	}
	if (!place || i % 2 == 0)
		return keep_ptr(place);
	return path_canonical(place, &none);
}

bool inside_own_place(const char *path)
{
	/* The helper hides it, so it is no place to be kept readable. */
	if (inside_tmp_place(path))
		return true;
	for (unsigned i = 0; i < OWN_PLACES; i++) {
		cleanup_free char *place = own_place(i);

		if (place && path_contains(place, path))
			return true;
	}
	return false;
}
