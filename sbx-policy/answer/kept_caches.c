#include "answer/kept_caches.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "config/workspace.h"
#include "fs/path.h"
#include "process/sibling.h"
#include "trust/kept_place.h"

#include <unistd.h>

static void say(struct strings *words, const char *word)
{
	strings_add(words, xstrdup(word));
}

/* Its canonical form; one that is gone has the form that it was given in. */
static int say_workspace(struct strings *words, const char *directory, struct error *err)
{
	struct error none = {0};
	cleanup_free char *path = workspace_find(directory, &none);

	if (!path && !(directory && path_is_normal(directory))) {
		*err = none;
		return -1;
	}
	say(words, path ? path : directory);
	return 0;
}

static int say_workspaces(struct strings *words, const struct request *request, struct error *err)
{
	if (!request->operands[0])
		return say_workspace(words, request->directory, err);
	for (char **directory = request->operands; *directory; directory++)
		if (say_workspace(words, *directory, err) < 0)
			return -1;
	return 0;
}

int caches_exec(const struct request *request, struct error *err)
{
	cleanup_free char *helper = sibling_path("sbx-linux-sandbox", err);
	cleanup_free char *place = kept_place();
	struct strings words = {0};

	if (!helper)
		return -1;
	if (!place)
		return error_set(err, EXIT_INPUT, "no-home", "HOME is not set: nothing is kept");
	say(&words, helper);
	say(&words, "--kept-caches");
	say(&words, place);
	if (request->clear)
		say(&words, request->all ? "--all" : "--");
	if (request->clear && !request->all && say_workspaces(&words, request, err) < 0)
		return -1;
	execv(helper, words.items);
	return error_system(err, "executing \"%s\"", helper);
}
