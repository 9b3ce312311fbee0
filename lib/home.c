#include "home.h"

#include "cleanup.h"
#include "memory.h"
#include "path.h"
#include "trail.h"

#include <string.h>

static char *usual_home(void)
{
	const char *home = getenv("HOME");

	return home && home[0] == '/' ? path_join(home, ".codex") : NULL;
}

char *settings_home(void)
{
	const char *home = getenv("CODEX_HOME");

	if (home && home[0])
		return home[0] == '/' ? path_normal(home) : NULL;
	return usual_home();
}

int settings_home_check(const char *project, struct error *err)
{
	const char *home = getenv("CODEX_HOME");
	cleanup_free char *place = NULL;
	cleanup_free char *usual = NULL;
	struct error why = {0};
	struct trail trail;
	bool inside;

	if (!home || !home[0])
		return 0;
	if (home[0] != '/')
		return error_set(err, EXIT_INPUT, "bad-home",
		                 "CODEX_HOME: \"%s\": not an absolute path", home);
	place = path_normal(home);
	usual = usual_home();
	if (usual && strcmp(place, usual) == 0)
		return 0;
	if (trail_follow(&trail, "/", home, &why) < 0) {
		trail_free(&trail);
		return error_set(err, EXIT_INPUT, "bad-home", "CODEX_HOME: %s", why.message);
	}
	inside = path_contains(project, trail.target) || path_contains(project, place);
	trail_free(&trail);
	if (!inside || path_depth(project) == 0)
		return 0;
	return error_set(err, EXIT_INPUT, "bad-home",
	                 "CODEX_HOME: \"%s\": inside the project \"%s\", which could write its own "
	                 "rules there; unset it, or point it elsewhere",
	                 home, project);
}
