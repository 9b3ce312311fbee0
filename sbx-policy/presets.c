#include "presets.h"

#include "cachedir.h"
#include "cleanup.h"
#include "gitconfig.h"
#include "globs.h"
#include "memory.h"
#include "nearest.h"
#include "path.h"
#include "trail.h"

#include <string.h>

enum base {
	GIT_COMMON,
	GIT_WORKTREE,
	GIT_CONFIGURED,
	CHECKOUT,
	CACHE,
	DEVICE,
};

#define READ  ACCESS_READ
#define WRITE ACCESS_WRITE
#define PRESET(name, base, variable, place, path, access)                                          \
	{name, base, variable, place, path, access},

static const struct preset {
	const char *name;
	enum base base;
	const char *variable, *place, *path;
	enum access access;
} presets[] = {
#include "../share/presets"
};

struct apply {
	struct policy *policy;
	const struct repository *repository;
	const struct preset *preset;
	char source[64];
	size_t granted; /* write entries of the preset */
	struct error *err;
};

/* One path of a preset, where it leads to; `bare`: no repository is ever in it. */
static void add(struct apply *apply, const char *base, const char *path, bool bare)
{
	struct error why = {0};
	struct trail trail;

	if (trail_follow(&trail, base, path[0] ? path : ".", &why) == 0) {
		if (apply->preset->access == ACCESS_READ) {
			for (size_t i = 0; i < trail.count; i++)
				policy_pin(apply->policy, trail.links[i], "flag --allow");
			policy_add(apply->policy, trail.target, ACCESS_READ,
			           policy_word(apply->policy, apply->source), true);
		} else if (!trail.stopped) {
			policy_add(apply->policy, trail.target, ACCESS_WRITE,
			           policy_word(apply->policy, apply->source), true);
			if (bare)
				root_list_add(&apply->policy->bare, trail.target);
			apply->granted++;
		}
	}
	trail_free(&trail);
}

static int add_git(struct apply *apply)
{
	const struct repository *repository = apply->repository;
	bool linked;

	if (!repository->root)
		return error_set(apply->err, EXIT_INPUT, "no-repository",
		                 "--allow git: \"%s\" is not in a repository",
		                 apply->policy->workspace);
	/* A pointer file may name any directory; only one that points back is opened. */
	if (!repository->gitdir)
		return error_set(apply->err, EXIT_INPUT, "no-repository",
		                 "--allow git: \"%s/.git\" names a directory that does not belong "
		                 "to this checkout",
		                 repository->root);
	linked = strcmp(repository->gitdir, repository->common) != 0;
	if (apply->preset->base == GIT_COMMON)
		add(apply, repository->common, apply->preset->path, true);
	else if (linked)
		add(apply, repository->gitdir, apply->preset->path, true);
	return 0;
}

/* What the config file names is relative to the checkout, or for an include to itself. */
static void add_configured(void *context, const char *name, const char *value)
{
	struct apply *apply = context;
	const char *home = getenv("HOME");
	bool include = strncmp(name, "include", 7) == 0;
	cleanup_free char *own = NULL;

	if (strcmp(name, apply->preset->path) != 0 &&
	    !(strcmp(name, "includeif.path") == 0 &&
	      strcmp(apply->preset->path, "include.path") == 0))
		return;
	if (!value[0])
		return;
	if (value[0] == '~' && value[1] == '/' && home && home[0] == '/')
		value = own = path_join(home, value + 2);
	add(apply, include ? apply->repository->common : apply->repository->root, value, false);
}

static void add_device(void *context, const char *path)
{
	add(context, "/", path, true);
}

static int add_preset(struct apply *apply)
{
	const struct preset *preset = apply->preset;
	cleanup_free char *path = NULL;
	struct stat st;

	switch (preset->base) {
	case GIT_COMMON:
	case GIT_WORKTREE:
		return add_git(apply);
	case GIT_CONFIGURED:
		gitconfig_read(apply->repository->common, add_configured, apply);
		return 0;
	case CHECKOUT:
		path = path_join(apply->repository->root, preset->path);
		if (lstat(path, &st) < 0)
			add(apply, "/", path, false);
		return 0;
	case CACHE:
		path = cache_directory(apply->policy->workspace, preset->variable, preset->place,
		                       &apply->policy->notes);
		if (path)
			add(apply, path, preset->path, false);
		return 0;
	case DEVICE:
		if (is_glob(preset->path))
			return glob_expand(preset->path, 1, add_device, apply, apply->err);
		add_device(apply, preset->path);
		return 0;
	}
	return 0;
}

static int unknown(const char *name, struct error *err)
{
	struct nearest nearest = nearest_begin(name);

	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
		nearest_try(&nearest, presets[i].name, strlen(presets[i].name));
	return error_set(err, EXIT_INPUT, "no-preset", "preset \"%s\": no such preset%s%s%s", name,
	                 nearest.word ? "; did you mean \"" : "", nearest.word ? nearest.word : "",
	                 nearest.word ? "\"?" : "");
}

int presets_apply(struct policy *policy, const struct repository *repository, struct error *err)
{
	const struct root_list *names = &policy->settings->presets;

	for (size_t i = 0; i < names->count; i++) {
		struct apply apply = {.policy = policy, .repository = repository, .err = err};
		bool known = false;

		snprintf(apply.source, sizeof(apply.source), "flag --allow %.40s", names->paths[i]);
		for (size_t k = 0; k < sizeof(presets) / sizeof(presets[0]); k++) {
			if (strcmp(presets[k].name, names->paths[i]) != 0)
				continue;
			known = true;
			apply.preset = &presets[k];
			if (add_preset(&apply) < 0)
				return -1;
		}
		if (!known)
			return unknown(names->paths[i], err);
		if (apply.granted == 0)
			notes_add(&policy->notes,
			          "--allow %s: nothing of it exists here; nothing was added",
			          names->paths[i]);
	}
	return 0;
}
