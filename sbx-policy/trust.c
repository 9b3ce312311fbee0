#include "trust.h"

#include "cleanup.h"
#include "memory.h"
#include "path.h"

#include <string.h>

static bool look(struct trust *trust, const struct config *config, const char *directory)
{
	struct from from;
	const json_t *level = config_get(config, &from, "projects", directory, "trust_level");

	if (!level)
		return false;
	trust->level =
	        strcmp(json_string_value(level), "trusted") == 0 ? TRUST_TRUSTED : TRUST_UNTRUSTED;
	trust->source = from.source;
	free(trust->path);
	trust->path = xstrdup(directory);
	return true;
}

const char *trust_key(const struct repository *repository, const char *workspace)
{
	return repository->main ? repository->main : workspace;
}

void trust_find(struct trust *trust, const struct config *config,
                const struct repository *repository, const char *workspace, const char *given)
{
	cleanup_free char *at = xstrdup(workspace);
	cleanup_free char *spelled = given && given[0] == '/' ? path_normal(given) : NULL;
	const char *top = repository->root ? repository->root : workspace;

	free(trust->path);
	*trust = (struct trust){.path = xstrdup(trust_key(repository, workspace)),
	                        .source = "default"};
	if (!config_get(config, NULL, "projects"))
		return;
	if (spelled && look(trust, config, spelled))
		return;
	for (;;) {
		char *up;

		if (look(trust, config, at))
			return;
		if (strcmp(at, top) == 0)
			break;
		up = path_parent(at);
		free(at);
		at = up;
	}
	if (repository->main)
		look(trust, config, repository->main);
}
