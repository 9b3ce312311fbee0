#include "repositories/named_by_git.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "git/git_config.h"
#include "git/pointer_file.h"
#include "git/repository.h"
#include "repositories/git_keys.h"
#include "repositories/shell_words.h"
#include "resolve/carve_outs.h"
#include "resolve/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of settings costs a read, a word some looks, a name a mount; nobody has as many. */
#define FILES_MAX   32  /* of one repository */
#define WORDS_MAX   256 /* of one repository */
#define NAMES_MAX   64  /* of one repository */
#define MOUNTS_MAX  512 /* of all: those that were known first come first */
#define MODULES_MAX 100
#define DEPTH_MAX   10 /* git's own, of includes */

struct setting_found {
	const struct git_key *key;
	char *value;
};

struct settings_found {
	struct setting_found *items;
	size_t count;
	char *top;       /* the last core.worktree */
	bool has_own;    /* extensions.worktreeConfig */
	size_t files;    /* that were read */
	unsigned depth;  /* of includes */
	const char *dir; /* of the file that is being read */
	struct policy *policy;
};

struct configured {
	struct settings_found global;
	struct root_list done; /* repositories, each followed by its top */
	size_t words, names;   /* of the repository that is looked at */
	size_t mounts;
};

static struct configured *begin(struct policy *policy)
{
	if (!policy->configured) {
		policy->configured = xmalloc(sizeof(*policy->configured));
		*policy->configured = (struct configured){0};
	}
	return policy->configured;
}

static void settings_found_free(struct settings_found *found)
{
	for (size_t i = 0; i < found->count; i++)
		free(found->items[i].value);
	free(found->items);
	free(found->top);
}

void configured_free(struct configured *configured)
{
	if (!configured)
		return;
	settings_found_free(&configured->global);
	root_list_free(&configured->done);
	free(configured);
}

static const char *source_of(struct policy *policy, const struct git_key *key)
{
	cleanup_free char *source = xasprintf("named by git's %s", key->name);

	return policy_word(policy, source);
}

/* A hostile file could hold thousands of names. */
static bool may_look(struct policy *policy)
{
	struct configured *configured = policy->configured;

	if (configured->words < WORDS_MAX && configured->names < NAMES_MAX &&
	    configured->mounts < MOUNTS_MAX) {
		configured->words++;
		return true;
	}
	policy->cut = true;
	return false;
}

/* Makes read-only what path leads to from base, with the links on the way. */
static int protect_named(struct policy *policy, const char *base, const char *path,
                         const char *source, struct trail *trail)
{
	struct error none = {0};
	size_t before = policy->permissions.count;
	int status = protect_trail(policy, trail, base, path, source, &none);

	policy->configured->names += policy->permissions.count - before;
	policy->configured->mounts += policy->permissions.count - before;
	return status == 0 && trail->target ? 0 : -1;
}

/* ~/x, $HOME/x and what else begins where the user is at home or git runs it. */
static char *expand(const char *word, const char *top)
{
	static const struct {
		const char *prefix;
		bool home;
	} known[] = {{"~/", true},
	             {"$HOME/", true},
	             {"${HOME}/", true},
	             {"$PWD/", false},
	             {"${PWD}/", false}};
	const char *home = getenv("HOME");

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		size_t len = strlen(known[i].prefix);
		const char *base = known[i].home ? home : top;

		if (strncmp(word, known[i].prefix, len) == 0)
			return base && base[0] == '/' ? path_join(base, word + len) : NULL;
	}
	/* Another user's home, or where git itself is installed. */
	return word[0] == '~' || word[0] == '%' ? NULL : xstrdup(word);
}

/* ---- directories of programs ------------------------------------------------ */

struct hooks {
	struct policy *policy;
	const char *directory, *source;
};

/* A hook is often a link to a script of the project. */
static bool protect_hook(void *context, const char *name, enum kind kind)
{
	const struct hooks *hooks = context;
	struct trail trail;

	if (kind != KIND_LINK && kind != KIND_UNKNOWN)
		return true;
	if (!may_look(hooks->policy))
		return false;
	protect_named(hooks->policy, hooks->directory, name, hooks->source, &trail);
	trail_free(&trail);
	return true;
}

/* 0, or the errno for which it cannot be listed. */
static int protect_hooks_in(struct policy *policy, const char *directory, const char *source)
{
	cleanup_close int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct hooks hooks = {policy, directory, source};
	int number = fd < 0 || listing(fd, protect_hook, &hooks) < 0 ? errno : 0;

	protect_missed(policy, number);
	return number;
}

static void protect_directory(struct policy *policy, const struct git_key *key, const char *top,
                              const char *value)
{
	const char *source = source_of(policy, key);
	cleanup_free char *path = expand(value, top);
	struct error none = {0};
	struct trail trail;

	if (!path || !path[0] || !may_look(policy))
		return;
	if (protect_named(policy, top, path, source, &trail) == 0) {
		const struct origin *origin;

		if (trail.stopped == 0)
			protect_hooks_in(policy, trail.target, source);
		/* husky's own directory: what is in it runs the scripts beside it. */
		if (strcmp(strrchr(trail.target, '/'), "/_") == 0) {
			cleanup_free char *parent = path_parent(trail.target);

			protect_path(policy, parent, source, &none);
		}
		/* Only now: what was added above may have moved it. */
		origin = policy_origin(policy, trail.target);
		if (origin && origin->access == ACCESS_WRITE && !origin->named)
			notes_add(&policy->notes,
			          "git's %s names \"%s\", which is writable as a whole: look at "
			          "the programs in it before you use git, or give them a "
			          "directory of their own",
			          key->name, trail.target);
	}
	trail_free(&trail);
}

/* ---- command lines ------------------------------------------------------------ */

struct words {
	struct policy *policy;
	const struct git_key *key;
	const char *top;
};

/*
 * A missing file is kept from being made where the word can hardly be anything
 * but a path: sed's s/a/b/ is none, and a stub for it would be seen.
 */
static bool is_surely_path(const char *word, const struct trail *trail, bool command)
{
	cleanup_free char *parent = path_parent(trail->target);
	const char *base = strrchr(word, '/');
	struct stat st;

	if (!base || !base[1] || strpbrk(word, "*?[]{}$\"'\\<>;|&,:= \t\n"))
		return false;
	return command || strchr("./~", word[0]) || strchr(base, '.') ||
	       (lstat(parent, &st) == 0 && S_ISDIR(st.st_mode));
}

static bool is_kept(const char *word, const struct trail *trail, bool command)
{
	if (trail->stopped)
		return is_surely_path(word, trail, command);
	/* The directory in "git log -- src" is no program, and work is done in it. */
	return !S_ISDIR(trail->st.st_mode);
}

static void protect_word(void *context, const char *word, bool command)
{
	const struct words *words = context;
	cleanup_free char *path = NULL;
	struct error none = {0};
	struct trail trail;
	bool kept;

	/* A shell looks for a command without a slash in PATH. */
	if (word[0] == '-' || (command && !strchr(word, '/')) || !may_look(words->policy))
		return;
	path = expand(word, words->top);
	if (!path || !path[0])
		return;
	kept = trail_follow(&trail, words->top, path, &none) == 0 && is_kept(word, &trail, command);
	trail_free(&trail);
	if (!kept)
		return;
	protect_named(words->policy, words->top, path, source_of(words->policy, words->key),
	              &trail);
	trail_free(&trail);
}

/* ---- all of them -------------------------------------------------------------- */

static void protect_setting(struct policy *policy, const struct setting_found *found,
                            const char *top)
{
	struct words words = {policy, found->key, top};
	const char *value = found->value;

	switch (found->key->value) {
	case VALUE_DIRECTORY:
		protect_directory(policy, found->key, top, value);
		return;
	case VALUE_HELPER:
		if (value[0] != '!' && value[0] != '/' && value[0] != '~')
			return;
		shell_words(value + (value[0] == '!'), protect_word, &words);
		return;
	case VALUE_BANG_LINE:
		if (value[0] == '!')
			shell_words(value + 1, protect_word, &words);
		return;
	case VALUE_LINE:
		shell_words(value, protect_word, &words);
		return;
	case VALUE_INCLUDE:
	case VALUE_TOP:
	case VALUE_OWN_FILE:
		return;
	}
}

static bool is_wanted(void *context, const char *section, const char *key)
{
	(void)context;
	return git_key_find(section, key) != NULL;
}

static void read_settings(struct settings_found *found, const char *directory, const char *name);

/* The condition of an includeIf may be true tomorrow. */
static void include(struct settings_found *found, const struct git_key *key, const char *value)
{
	static const char optional[] = ":(optional)";
	struct error none = {0};
	cleanup_free char *base = path_canonical(found->dir, &none);
	cleanup_free char *path = NULL;
	struct trail trail;

	if (strncmp(value, optional, strlen(optional)) == 0)
		value += strlen(optional);
	path = base ? expand(value, base) : NULL;
	if (!path || !path[0] || !may_look(found->policy))
		return;
	if (protect_named(found->policy, base, path, source_of(found->policy, key), &trail) == 0 &&
	    trail.stopped == 0 && S_ISREG(trail.st.st_mode)) {
		cleanup_free char *directory = path_parent(trail.target);

		read_settings(found, directory, strrchr(trail.target, '/') + 1);
	}
	trail_free(&trail);
}

/* NULL: no directory that is there. */
static char *directory_at(const char *base, const char *path)
{
	struct error none = {0};
	struct trail trail;
	char *found = NULL;

	if (trail_follow(&trail, base, path, &none) == 0 && trail.stopped == 0 &&
	    S_ISDIR(trail.st.st_mode))
		found = xstrdup(trail.target);
	trail_free(&trail);
	return found;
}

static void keep(void *context, const char *section, const char *name, const char *value)
{
	struct settings_found *found = context;
	const struct git_key *key = git_key_find(section, name);

	if (!value[0])
		return;
	switch (key->value) {
	case VALUE_INCLUDE:
		include(found, key, value);
		return;
	case VALUE_TOP:
		free(found->top);
		found->top = directory_at(found->dir, value);
		return;
	case VALUE_OWN_FILE:
		found->has_own = true;
		return;
	default:
		found->items =
		        xrealloc_array(found->items, found->count + 1, sizeof(*found->items));
		found->items[found->count++] = (struct setting_found){key, xstrdup(value)};
	}
}

/* A file of settings may itself be a link into the work tree. */
static char *text_of(struct settings_found *found, const char *directory, const char *name)
{
	char *text = gitfile_text(directory, name);
	cleanup_free char *path = NULL;
	struct trail trail;

	if (text)
		return text;
	protect_missed(found->policy, errno);
	if (errno != ELOOP && errno != ENOTDIR)
		return NULL;
	path = path_join(directory, name);
	if (protect_named(found->policy, "/", path, "git's config", &trail) == 0) {
		cleanup_free char *parent = path_parent(trail.target);

		text = gitfile_text(parent, strrchr(trail.target, '/') + 1);
	}
	trail_free(&trail);
	return text;
}

static void read_settings(struct settings_found *found, const char *directory, const char *name)
{
	const struct gitconfig_reader reader = {is_wanted, keep, found};
	const char *outer = found->dir;
	cleanup_free char *text = NULL;

	if (found->depth >= DEPTH_MAX || found->files >= FILES_MAX) {
		found->policy->cut = true;
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

/* Whether a repository was met before, from the same place. */
static bool is_done(struct configured *configured, const char *gitdir, const char *top)
{
	struct root_list *done = &configured->done;

	for (size_t i = 0; i + 1 < done->count; i += 2)
		if (strcmp(done->paths[i], gitdir) == 0 && strcmp(done->paths[i + 1], top) == 0)
			return true;
	root_list_add(done, gitdir);
	root_list_add(done, top);
	return false;
}

/* The directory that holds config and hooks; of a linked worktree that is another one. */
static char *common_of(struct policy *policy, const char *gitdir)
{
	struct gitfile file;
	char *common;

	if (gitfile_common(&file, gitdir) < 0) {
		protect_missed(policy, errno);
		return xstrdup(gitdir);
	}
	common = file.exact[0] ? directory_at(gitdir, file.exact) : NULL;
	gitfile_free(&file);
	return common ? common : xstrdup(gitdir);
}

/* Who may write the settings can name what they like: nothing is won by more. */
static bool is_open(const struct policy *policy, const char *common)
{
	cleanup_free char *config = path_below(common, "config");

	return permissions_resolve(&policy->permissions, config, NULL) == ACCESS_WRITE;
}

static void protect_hooks_of(struct policy *policy, const char *common)
{
	static const char source[] = "hooks of a repository";
	cleanup_free char *hooks = path_below(common, "hooks");
	struct trail trail;
	int number = protect_hooks_in(policy, hooks, source);

	if (number != ELOOP && number != ENOTDIR)
		return;
	if (protect_named(policy, common, "hooks", source, &trail) == 0 && trail.stopped == 0)
		protect_hooks_in(policy, trail.target, source);
	trail_free(&trail);
}

struct modules {
	struct policy *policy;
	const char *directory;
	size_t *left;
	unsigned depth;
};

static void protect_modules(struct policy *policy, const char *directory, size_t *left,
                            unsigned depth);

/* A submodule that is not checked out has its settings all the same. */
static bool protect_module(void *context, const char *name, enum kind kind)
{
	struct modules *modules = context;
	cleanup_free char *path = NULL;

	if (!may_be_directory(kind))
		return true;
	if (*modules->left == 0) {
		modules->policy->cut = true;
		return false;
	}
	--*modules->left;
	path = path_below(modules->directory, name);
	if (is_git_directory(AT_FDCWD, path))
		protect_configured(modules->policy, path, path);
	else
		protect_modules(modules->policy, path, modules->left, modules->depth + 1);
	return true;
}

static void protect_modules(struct policy *policy, const char *directory, size_t *left,
                            unsigned depth)
{
	cleanup_close int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct modules modules = {policy, directory, left, depth};

	if (fd < 0)
		protect_missed(policy, errno);
	else if (depth > DEPTH_MAX)
		policy->cut = true;
	else if (listing(fd, protect_module, &modules) < 0)
		protect_missed(policy, errno);
}

static void protect_all(struct policy *policy, const struct settings_found *found, const char *top,
                        bool absolute)
{
	for (size_t i = 0; i < found->count; i++)
		if (!absolute || strpbrk(found->items[i].value, "/~$"))
			protect_setting(policy, &found->items[i], top);
}

void protect_configured(struct policy *policy, const char *gitdir, const char *top)
{
	struct configured *configured = begin(policy);
	cleanup_free char *common = NULL;
	cleanup_free char *modules = NULL;
	struct settings_found found = {.policy = policy};
	size_t left = MODULES_MAX;

	if (is_done(configured, gitdir, top))
		return;
	configured->words = configured->names = 0;
	common = common_of(policy, gitdir);
	if (is_open(policy, common))
		return;
	protect_hooks_of(policy, common);
	read_settings(&found, common, "config");
	if (found.has_own)
		read_settings(&found, gitdir, "config.worktree");
	if (found.top)
		top = found.top;
	protect_all(policy, &found, top, false);
	protect_all(policy, &configured->global, top, false);
	/* A push into a repository runs its hooks from here. */
	if (strcmp(top, common) != 0)
		for (size_t i = 0; i < found.count; i++)
			if (found.items[i].key->value == VALUE_DIRECTORY)
				protect_setting(policy, &found.items[i], common);
	modules = path_below(common, "modules");
	protect_modules(policy, modules, &left, 0);
	settings_found_free(&found);
}

/* Most of them do not exist, and the rest is rarely a link. */
static void read_global(struct settings_found *global, const char *base, const char *path)
{
	cleanup_free char *whole = base && base[0] == '/' ? path_below(base, path) : NULL;
	cleanup_free char *directory = whole ? path_parent(whole) : NULL;

	if (directory)
		read_settings(global, directory, strrchr(whole, '/') + 1);
}

/* The file that a variable puts in place of the usual ones; one that is there. */
static void read_named(struct settings_found *global, const char *variable)
{
	struct policy *policy = global->policy;
	const char *path = getenv(variable);
	struct error none = {0};
	struct trail trail;
	bool found;

	if (!path || !path[0])
		return;
	found = trail_follow(&trail, policy->workspace, path, &none) == 0 && trail.stopped == 0 &&
	        S_ISREG(trail.st.st_mode);
	trail_free(&trail);
	if (!found)
		return;
	if (protect_named(policy, policy->workspace, path, policy_word(policy, variable), &trail) ==
	    0) {
		cleanup_free char *directory = path_parent(trail.target);

		read_settings(global, directory, strrchr(trail.target, '/') + 1);
	}
	trail_free(&trail);
}

void protect_configured_globally(struct policy *policy)
{
	struct settings_found *global = &begin(policy)->global;
	const char *home = getenv("HOME");
	const char *named = getenv("XDG_CONFIG_HOME");

	global->policy = policy;
	read_named(global, "GIT_CONFIG_SYSTEM");
	read_named(global, "GIT_CONFIG_GLOBAL");
	read_global(global, "/etc", "gitconfig");
	read_global(global, home, ".gitconfig");
	if (named && named[0])
		read_global(global, named, "git/config");
	else
		read_global(global, home, ".config/git/config");
	/* Before any repository: paths that are the same from everywhere. */
	protect_all(policy, global, "/", true);
}
