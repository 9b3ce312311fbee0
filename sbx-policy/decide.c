#include "decide.h"

#include "cleanup.h"
#include "home.h"
#include "memory.h"
#include "path.h"
#include "replace.h"
#include "repository.h"
#include "text.h"
#include "tomledit.h"
#include "trust.h"
#include "workspace.h"

struct decision {
	const char *project;
	const char *level;
};

static char *edit(void *context, const char *name, const char *text, size_t len, struct error *err)
{
	const struct decision *decision = context;
	const char *const path[] = {"projects", decision->project, "trust_level", NULL};

	return toml_edit(name, text, len, path, decision->level, err);
}

int decide_trust(const char *directory, bool trusted, FILE *out, struct error *err)
{
	cleanup_free char *place = workspace_find(directory, err);
	cleanup_free char *home = settings_home();
	cleanup_free char *path = NULL;
	cleanup_free char *clean = NULL;
	struct repository repository = {0};
	struct decision decision = {.level = trusted ? "trusted" : "untrusted"};
	int status;

	if (!place)
		return -1;
	if (!home)
		return error_set(err, EXIT_INPUT, "bad-home",
		                 "neither CODEX_HOME nor HOME names a directory");
	repository_find(&repository, place);
	decision.project = trust_key(&repository, place);
	clean = text_clean(decision.project);
	path = path_join(home, "config.toml");
	if (trusted && path_depth(decision.project) == 0)
		status = error_set(err, EXIT_INPUT, "bad-trust", "\"/\" is not a project");
	else if (settings_home_check(place, err) < 0 ||
	         settings_home_check(decision.project, err) < 0)
		status = -1;
	else
		status = replace_file(path, edit, &decision, err);
	if (status == 0)
		fprintf(out, "%s: %s\n", clean, decision.level);
	repository_free(&repository);
	if (status == 0 && fflush(out) == EOF)
		return error_system(err, "writing");
	return status;
}
