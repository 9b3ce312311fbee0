#include "resolve/trusted_projects.h"

#include "base/cleanup.h"
#include "entries/carve_outs.h"
#include "fs/path.h"
#include "repositories/found_repository.h"

#include <string.h>
#include <sys/stat.h>

static bool is_in_root(const struct root_list *roots, const char *path)
{
	for (size_t i = 0; i < roots->count; i++)
		if (path_contains(roots->paths[i], path) && strcmp(roots->paths[i], path) != 0)
			return true;
	return false;
}

/*
 * Trust is by path.  A link in the place of a project is trusted by nobody, but
 * a directory in the place of the link would be.
 */
static void protect_entry(struct workbench *bench, const char *project)
{
	static const char source[] = "trusted project";
	cleanup_free char *git = path_join(project, ".git");
	struct error none = {0};
	struct stat st;
	struct trail trail;

	if (trail_follow(&trail, "/", project, &none) < 0 || trail.count > 0) {
		for (size_t i = 0; i < trail.count; i++)
			make_read_only(bench, trail.links[i], source);
	} else if (trail.stopped == 0 && S_ISDIR(trail.st.st_mode)) {
		if (lstat(git, &st) == 0)
			protect_found(bench, git, source);
		else
			protect_project(bench, project, source);
	}
	trail_free(&trail);
}

void protect_trusted(struct workbench *bench, const struct root_list *roots)
{
	json_t *projects = json_object_get(bench->policy->settings->config->values, "projects");
	const char *project;
	json_t *entry;

	/* There may be hundreds: only those in a root are looked at on disk. */
	json_object_foreach (projects, project, entry) {
		const char *level = json_string_value(json_object_get(entry, "trust_level"));

		if (level && strcmp(level, "trusted") == 0 && path_is_normal(project) &&
		    is_in_root(roots, project))
			protect_entry(bench, project);
	}
}
