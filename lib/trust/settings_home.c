#include "trust/settings_home.h"

#include "base/cleanup.h"
#include "fs/followed_path.h"
#include "fs/only_ours.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "process/sibling.h"
#include "trust/believed_place.h"
#include "trust/kept_place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Where everybody has it: a person's own, and root's for whoever has none of it. */
static int usual_home_check(struct error *err)
{
	cleanup_free char *home = usual_home();
	struct stat st;

	if (!home || stat(home, &st) < 0 ||
	    ((st.st_uid == 0 || st.st_uid == geteuid() || owner_stands_for_root(st.st_uid)) &&
	     !(st.st_mode & S_IWOTH)))
		return 0;
	return error_set(
	        err, EXIT_INPUT, "bad-home",
	        "\"%s\": another user's, or others can write it; set HOME or CODEX_HOME to "
	        "a place of your own",
	        home);
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
		return usual_home_check(err);
	if (home[0] != '/')
		return error_set(err, EXIT_INPUT, "bad-home",
		                 "CODEX_HOME: \"%s\": not an absolute path", home);
	place = path_normal(home);
	usual = usual_home();
	if (usual && strcmp(place, usual) == 0)
		return usual_home_check(err);
	if (place_believed("CODEX_HOME", place, err) < 0)
		return -1;
	if (!project)
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

int settings_home_reach(const struct could_write *w, struct error *err)
{
	const char *value = getenv("CODEX_HOME");
	cleanup_free char *home = settings_home();
	cleanup_free char *usual = usual_home();
	cleanup_free char *real = NULL;
	const char *why;

	if (!value || !value[0] || !home || (usual && strcmp(home, usual) == 0))
		return 0;
	real = path_canonical(home, err);
	if (!real)
		return -1;
	why = could_write(w, real);
	return why ? error_set(err, EXIT_INPUT, "bad-home",
	                       "CODEX_HOME: \"%s\": %s; unset it, or point it elsewhere", value,
	                       why)
	           : 0;
}

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
	case 2:
		place = kept_place();
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
