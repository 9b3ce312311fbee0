#include "repositories/named_by_git.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "git/pointer_file.h"
#include "git/repository.h"
#include "repositories/git_settings.h"
#include "repositories/named_path.h"
#include "repositories/named_programs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* Nobody has as many. */
#define MODULES_MAX 100
#define DEPTH_MAX   10 /* of names with slashes in them */

/* Whether a repository was met before, from the same place. */
static bool is_done(struct root_list *done, const char *gitdir, const char *top)
{
	for (size_t i = 0; i + 1 < done->count; i += 2)
		if (strcmp(done->paths[i], gitdir) == 0 && strcmp(done->paths[i + 1], top) == 0)
			return true;
	root_list_add(done, gitdir);
	root_list_add(done, top);
	return false;
}

/* The directory that holds config and hooks; of a linked worktree that is another one. */
static char *common_of(struct workbench *bench, const char *gitdir)
{
	struct gitfile file;
	char *common;

	if (gitfile_common(&file, gitdir) < 0) {
		bench_missed(bench, errno);
		return xstrdup(gitdir);
	}
	common = file.exact[0] ? named_directory(gitdir, file.exact) : NULL;
	gitfile_free(&file);
	return common ? common : xstrdup(gitdir);
}

/* Who may write the settings can name what they like: nothing is won by more. */
static bool is_open(const struct workbench *bench, const char *common)
{
	cleanup_free char *config = path_below(common, "config");

	return bench_writable(bench, config);
}

static void protect_hooks_of(struct workbench *bench, const char *common)
{
	static const char source[] = "hooks of a repository";
	cleanup_free char *hooks = path_below(common, "hooks");
	struct trail trail;
	int number = protect_hooks(bench, hooks, source);

	if (number != ELOOP && number != ENOTDIR)
		return;
	if (named_protect(bench, common, "hooks", source, &trail) == 0 && trail.stopped == 0)
		protect_hooks(bench, trail.target, source);
	trail_free(&trail);
}

struct modules {
	struct workbench *bench;
	const char *directory;
	size_t *left;
	unsigned depth;
};

static void protect_modules(struct workbench *bench, const char *directory, size_t *left,
                            unsigned depth);

/* A submodule that is not checked out has its settings all the same. */
static bool protect_module(void *context, const char *name, enum kind kind)
{
	struct modules *modules = context;
	cleanup_free char *path = NULL;

	if (!may_be_directory(kind))
		return true;
	if (*modules->left == 0) {
		modules->bench->policy->cut = true;
		return false;
	}
	--*modules->left;
	path = path_below(modules->directory, name);
	if (is_git_directory(AT_FDCWD, path))
		protect_configured(modules->bench, path, path);
	else
		protect_modules(modules->bench, path, modules->left, modules->depth + 1);
	return true;
}

static void protect_modules(struct workbench *bench, const char *directory, size_t *left,
                            unsigned depth)
{
	cleanup_close int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct modules modules = {bench, directory, left, depth};

	if (fd < 0)
		bench_missed(bench, errno);
	else if (depth > DEPTH_MAX)
		bench->policy->cut = true;
	else if (listing(fd, protect_module, &modules) < 0)
		bench_missed(bench, errno);
}

static void protect_all(struct workbench *bench, const struct git_settings *found, const char *top,
                        bool absolute)
{
	for (size_t i = 0; i < found->count; i++)
		if (!absolute || strpbrk(found->items[i].value, "/~$"))
			protect_setting(bench, &found->items[i], top);
}

void protect_configured(struct workbench *bench, const char *gitdir, const char *top)
{
	cleanup_free char *common = NULL;
	cleanup_free char *modules = NULL;
	struct git_settings found = {.bench = bench};
	size_t left = MODULES_MAX;

	if (is_done(&bench->configured, gitdir, top))
		return;
	bench->cost.words = bench->cost.names = 0;
	common = common_of(bench, gitdir);
	if (is_open(bench, common))
		return;
	protect_hooks_of(bench, common);
	git_settings_read(&found, common, "config");
	if (found.has_own)
		git_settings_read(&found, gitdir, "config.worktree");
	if (found.top)
		top = found.top;
	protect_all(bench, &found, top, false);
	protect_all(bench, bench->global, top, false);
	/* A push into a repository runs its hooks from here. */
	if (strcmp(top, common) != 0)
		for (size_t i = 0; i < found.count; i++)
			if (found.items[i].key->value == VALUE_DIRECTORY)
				protect_setting(bench, &found.items[i], common);
	modules = path_below(common, "modules");
	protect_modules(bench, modules, &left, 0);
	git_settings_free(&found);
}

void protect_configured_globally(struct workbench *bench)
{
	git_settings_read_global(bench->global);
	/* Before any repository: paths that are the same from everywhere. */
	protect_all(bench, bench->global, "/", true);
}
