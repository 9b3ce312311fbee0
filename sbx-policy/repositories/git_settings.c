#include "repositories/git_settings.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "git/git_config.h"
#include "git/pointer_file.h"
#include "repositories/named_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* A file costs a read; nobody has as many. */
#define FILES_MAX 32 /* of one repository */
#define DEPTH_MAX 10 /* git's own, of includes */

void git_settings_free(struct git_settings *found)
{
	for (size_t i = 0; i < found->count; i++)
		free(found->items[i].value);
	free(found->items);
	free(found->top);
	strings_free(&found->excludes);
}

static bool is_wanted(void *context, const char *section, const char *key)
{
	(void)context;
	return git_key_find(section, key) != NULL;
}

/* The condition of an includeIf may be true tomorrow. */
static void include(struct git_settings *found, const struct git_key *key, const char *value)
{
	static const char optional[] = ":(optional)";
	struct error none = {0};
	cleanup_free char *base = path_canonical(found->dir, &none);
	cleanup_free char *path = NULL;
	struct trail trail;

	if (strncmp(value, optional, strlen(optional)) == 0)
		value += strlen(optional);
	path = base ? named_expand(value, base) : NULL;
	if (!path || !path[0] || !named_may_look(found->bench))
		return;
	if (named_protect(found->bench, base, path, named_source(found->bench, key), &trail) == 0 &&
	    trail.stopped == 0 && S_ISREG(trail.st.st_mode)) {
		cleanup_free char *directory = path_parent(trail.target);

		git_settings_read(found, directory, strrchr(trail.target, '/') + 1);
	}
	trail_free(&trail);
}

static void keep(void *context, const char *section, const char *name, const char *value)
{
	struct git_settings *found = context;
	const struct git_key *key = git_key_find(section, name);

	if (!value[0])
		return;
	switch (key->value) {
	case VALUE_INCLUDE:
		include(found, key, value);
		return;
	case VALUE_TOP:
		free(found->top);
		found->top = named_directory(found->dir, value);
		return;
	case VALUE_OWN_FILE:
		found->has_own = true;
		return;
	case VALUE_EXCLUDES:
		strings_add(&found->excludes, xstrdup(value));
		return;
	case VALUE_FOLD:
		found->folds |= strcasecmp(value, "false") != 0;
		return;
	default:
		list_add(found->items, found->count, (struct git_setting){key, xstrdup(value)});
	}
}

/* A file of settings may itself be a link into the work tree. */
static char *text_of(struct git_settings *found, const char *directory, const char *name)
{
	char *text = gitfile_text(directory, name);
	cleanup_free char *path = NULL;
	struct trail trail;

	if (text)
		return text;
	bench_missed(found->bench, errno);
	if (errno != ELOOP && errno != ENOTDIR)
		return NULL;
	path = path_join(directory, name);
	if (named_protect(found->bench, "/", path, "git's config", &trail) == 0) {
		cleanup_free char *parent = path_parent(trail.target);

		text = gitfile_text(parent, strrchr(trail.target, '/') + 1);
	}
	trail_free(&trail);
	return text;
}

void git_settings_read(struct git_settings *found, const char *directory, const char *name)
{
	const struct gitconfig_reader reader = {is_wanted, keep, found};
	const char *outer = found->dir;
	cleanup_free char *text = NULL;

	if (found->depth >= DEPTH_MAX || found->files >= FILES_MAX) {
		found->bench->policy->cut = true;
		return;
	}
	text = text_of(found, directory, name);
	if (!text)
		return;
	found->files++;
	found->depth++;
	found->dir = directory;
	gitconfig_parse(text, &reader);
	found->dir = outer;
	found->depth--;
}

/* Most of them do not exist, and the rest is rarely a link. */
static void read_global(struct git_settings *global, const char *base, const char *path)
{
	cleanup_free char *whole = base && base[0] == '/' ? path_below(base, path) : NULL;
	cleanup_free char *directory = whole ? path_parent(whole) : NULL;

	if (directory)
		git_settings_read(global, directory, strrchr(whole, '/') + 1);
}

/* The file that a variable puts in place of the usual ones; one that is there. */
static void read_named(struct git_settings *global, const char *variable)
{
	struct workbench *bench = global->bench;
	const char *path = getenv(variable);
	struct error none = {0};
	struct trail trail;
	bool found;

	if (!path || !path[0])
		return;
	found = trail_follow(&trail, bench->policy->workspace, path, &none) == 0 &&
	        trail.stopped == 0 && S_ISREG(trail.st.st_mode);
	trail_free(&trail);
	if (!found)
		return;
	if (named_protect(bench, bench->policy->workspace, path, bench_word(bench, variable),
	                  &trail) == 0) {
		cleanup_free char *directory = path_parent(trail.target);

		git_settings_read(global, directory, strrchr(trail.target, '/') + 1);
	}
	trail_free(&trail);
}

void git_settings_read_global(struct git_settings *global)
{
	const char *home = getenv("HOME");
	const char *named = getenv("XDG_CONFIG_HOME");

	read_named(global, "GIT_CONFIG_SYSTEM");
	read_named(global, "GIT_CONFIG_GLOBAL");
	read_global(global, "/etc", "gitconfig");
	read_global(global, home, ".gitconfig");
	if (named && named[0])
		read_global(global, named, "git/config");
	else
		read_global(global, home, ".config/git/config");
}
