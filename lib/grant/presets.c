#include "grant/presets.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/globs.h"
#include "fs/path.h"
#include "policy/protected_names.h"
#include "trust/cache_place.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>

enum base {
	GIT_COMMON,
	GIT_WORKTREE,
	GIT_WORKTREES,
	GIT_MODULES,
	CHECKOUT,
	CACHE,
	CACHE_FILE,
	KEPT,
	DEVICE,
	TRACING,
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
#include "../../share/presets"
};

struct expand {
	const struct preset *preset;
	const struct preset_place *place;
	preset_found *found;
	void *context;
	struct error *err;
};

const char *preset_name(size_t i)
{
	return i < sizeof(presets) / sizeof(presets[0]) ? presets[i].name : NULL;
}

const char *preset_kept(const char *name)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
		if (presets[i].base == KEPT && strcmp(presets[i].name, name) == 0)
			return presets[i].path;
	return NULL;
}

bool preset_cache(const char *name, size_t wanted, struct preset_cache *out)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		const struct preset *p = &presets[i];

		if ((p->base != CACHE && p->base != CACHE_FILE) || p->access != WRITE ||
		    strcmp(p->name, name) != 0 || wanted-- > 0)
			continue;
		*out = (struct preset_cache){p->variable, p->place, p->path, p->base == CACHE_FILE};
		return true;
	}
	return false;
}

const char *preset_in_git(size_t wanted, enum access *access)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		const struct preset *p = &presets[i];

		if (p->base != GIT_COMMON || strcmp(p->name, "git") != 0 || !p->path[0] ||
		    wanted-- > 0)
			continue;
		*access = p->access;
		return p->path;
	}
	return NULL;
}

static void tell(struct expand *e, const char *base, const char *path, bool bare)
{
	struct preset_path found = {e->preset->name, base, path, e->preset->access, bare, false};

	e->found(e->context, &found);
}

/* A .git that is there and is no repository is somebody's mistake, or trap. */
static bool is_plain(const char *directory)
{
	cleanup_free char *path = path_join(directory, ".git");
	struct stat st;

	/* What stands for a missing name during a run is none. */
	return lstat(path, &st) < 0 ? errno == ENOENT
	                            : S_ISDIR(st.st_mode) && (st.st_mode & 07777) == STUB_MODE;
}

/*
 * Of a directory that is no repository yet: the one that "git init" makes in it.  Hooks
 * and configuration are part of what is made, so "git" is not enough.
 */
static void tell_new_repository(struct expand *e)
{
	struct preset_path found = {
	        e->preset->name, e->place->workspace, ".git", ACCESS_WRITE, true, true};

	if (e->preset->base == GIT_COMMON && !e->preset->path[0])
		e->found(e->context, &found);
}

/* Submodules may have names with "/" in them, so that theirs lie deeper. */
#define DEPTH_MAX 4

struct below {
	struct expand *expand;
	const char *directory;
	int depth;
};

static void tell_below(struct expand *e, const char *directory, int depth);

static bool look_at_name(void *context, const char *name, enum kind kind)
{
	const struct below *below = context;
	cleanup_free char *path = path_join(below->directory, name);

	if (!may_be_directory(kind))
		return true;
	if (below->expand->preset->base == GIT_WORKTREES || is_git_directory(AT_FDCWD, path))
		tell(below->expand, path, below->expand->preset->path, true);
	if (below->depth < DEPTH_MAX && below->expand->preset->base == GIT_MODULES)
		tell_below(below->expand, path, below->depth + 1);
	return true;
}

/* Each repository, or directory of a worktree, that there is in it. */
static void tell_below(struct expand *e, const char *directory, int depth)
{
	struct below below = {e, directory, depth};
	cleanup_close int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0)
		listing(fd, look_at_name, &below);
}

static void tell_parts(struct expand *e, const char *common)
{
	cleanup_free char *directory =
	        path_join(common, e->preset->base == GIT_MODULES ? "modules" : "worktrees");

	tell_below(e, directory, 0);
}

static int expand_git(struct expand *e)
{
	const struct repository *repository = e->place->repository;
	bool linked;

	if (!repository->root && strcmp(e->preset->name, "git:config") == 0 &&
	    is_plain(e->place->workspace)) {
		tell_new_repository(e);
		return 0;
	}
	if (!repository->root)
		return error_set(e->err, EXIT_INPUT, "no-repository",
		                 "--allow %s: \"%s\" is not in a repository; --allow git:config "
		                 "lets a command make one",
		                 e->preset->name, e->place->workspace);
	/* A pointer file may name any directory; only one that points back is opened. */
	if (!repository->gitdir)
		return error_set(e->err, EXIT_INPUT, "no-repository",
		                 "--allow git: \"%s/.git\" names a directory that does not belong "
		                 "to this checkout",
		                 repository->root);
	linked = strcmp(repository->gitdir, repository->common) != 0;
	if (e->preset->base == GIT_COMMON)
		tell(e, repository->common, e->preset->path, true);
	else if (e->preset->base == GIT_MODULES || e->preset->base == GIT_WORKTREES)
		tell_parts(e, repository->common);
	else if (linked)
		tell(e, repository->gitdir, e->preset->path, true);
	return 0;
}

static void tell_device(void *context, const char *path)
{
	tell(context, "/", path, true);
}

static int expand_one(struct expand *e)
{
	const struct preset *preset = e->preset;
	cleanup_free char *path = NULL;
	struct stat st;

	switch (preset->base) {
	case GIT_COMMON:
	case GIT_WORKTREE:
	case GIT_WORKTREES:
	case GIT_MODULES:
		return expand_git(e);
	case CHECKOUT:
		if (!e->place->repository->root)
			return 0;
		path = path_join(e->place->repository->root, preset->path);
		if (lstat(path, &st) < 0)
			tell(e, "/", path, false);
		return 0;
	case CACHE:
	case CACHE_FILE:
		path = cache_directory(
		        &(struct cache){e->place->workspace, strchr(preset->name, ':') + 1,
		                        preset->variable, preset->place, preset->path},
		        e->place->notes);
		if (path)
			tell(e, path, preset->path, false);
		return 0;
	case KEPT:
	case TRACING:
		return 0;
	case DEVICE:
		if (is_glob(preset->path))
			return glob_expand(preset->path, 1, tell_device, e, e->err);
		tell_device(e, preset->path);
		return 0;
	}
	return 0;
}

#define DEVICE_WORD "device:"

/* Memory, kernel, keyboards and terminals: through these the whole machine is open. */
static const char *const other_devices[] = {"mem",    "kmem",    "port",     "kmsg",  "tty*",
                                            "vcs*",   "console", "ptmx",     "pts/*", "input/*",
                                            "uinput", "hidraw*", "mapper/*", "fd/*",  "snapshot"};

bool preset_is_device(const char *name)
{
	return strncmp(name, DEVICE_WORD, strlen(DEVICE_WORD)) == 0;
}

/* A character device by its name in /dev. */
static int expand_device(struct expand *e, const char *name)
{
	const char *device = name + strlen(DEVICE_WORD);
	cleanup_free char *path = path_join("/dev", device);
	struct preset preset = {name, DEVICE, "", "", path, ACCESS_WRITE};
	struct stat st;

	for (size_t i = 0; i < sizeof(other_devices) / sizeof(other_devices[0]); i++)
		if (fnmatch(other_devices[i], device, 0) == 0)
			return error_set(e->err, EXIT_INPUT, "bad-device",
			                 "--allow %s: this device is not given to a sandbox", name);
	if (!path_is_normal(path) || lstat(path, &st) < 0 || !S_ISCHR(st.st_mode))
		return error_set(e->err, EXIT_INPUT, "bad-device",
		                 "--allow %s: \"%s\" is not a character device here", name, path);
	e->preset = &preset;
	tell_device(e, path);
	return 0;
}

int preset_expand(const char *name, const struct preset_place *place, preset_found *found,
                  void *context, struct error *err)
{
	struct expand e = {.place = place, .found = found, .context = context, .err = err};

	if (preset_is_device(name))
		return expand_device(&e, name);
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		e.preset = &presets[i];
		if (strcmp(presets[i].name, name) == 0 && expand_one(&e) < 0)
			return -1;
	}
	return 0;
}
