#include "repositories/named_programs.h"

#include "base/cleanup.h"
#include "entries/carve_outs.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "repositories/named_path.h"
#include "repositories/shell_words.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* ---- directories of programs ------------------------------------------------ */

struct hooks {
	struct workbench *bench;
	const char *directory, *source;
};

/* A hook is often a link to a script of the project. */
static bool protect_hook(void *context, const char *name, enum kind kind)
{
	const struct hooks *hooks = context;
	struct trail trail;

	if (kind != KIND_LINK && kind != KIND_UNKNOWN)
		return true;
	if (!named_may_look(hooks->bench))
		return false;
	named_protect(hooks->bench, hooks->directory, name, hooks->source, &trail);
	trail_free(&trail);
	return true;
}

int protect_hooks(struct workbench *bench, const char *directory, const char *source)
{
	cleanup_close int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct hooks hooks = {bench, directory, source};
	int number = fd < 0 || listing(fd, protect_hook, &hooks) < 0 ? errno : 0;

	bench_missed(bench, number);
	return number;
}

static void protect_directory(struct workbench *bench, const struct git_key *key, const char *top,
                              const char *value)
{
	const char *source = named_source(bench, key);
	cleanup_free char *path = named_expand(value, top);
	struct error none = {0};
	struct trail trail;

	if (!path || !path[0] || !named_may_look(bench))
		return;
	if (named_protect(bench, top, path, source, &trail) == 0) {
		const struct origin *origin;

		if (trail.stopped == 0)
			protect_hooks(bench, trail.target, source);
		/* husky's own directory: what is in it runs the scripts beside it. */
		if (strcmp(strrchr(trail.target, '/'), "/_") == 0) {
			cleanup_free char *parent = path_parent(trail.target);

			protect_path(bench, parent, source, &none);
		}
		/* Only now: what was added above may have moved it. */
		origin = policy_origin(bench->policy, trail.target);
		if (origin && origin->access == ACCESS_WRITE && !origin->named)
			notes_add(bench->notes,
			          "git's %s names \"%s\", which is itself a writable root: review "
			          "the programs in it before you use git, or move them to a "
			          "directory of their own",
			          key->name, trail.target);
	}
	trail_free(&trail);
}

/* ---- command lines ------------------------------------------------------------ */

struct words {
	struct workbench *bench;
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
	if (word[0] == '-' || (command && !strchr(word, '/')) || !named_may_look(words->bench))
		return;
	path = named_expand(word, words->top);
	if (!path || !path[0])
		return;
	kept = trail_follow(&trail, words->top, path, &none) == 0 && is_kept(word, &trail, command);
	trail_free(&trail);
	if (!kept)
		return;
	named_protect(words->bench, words->top, path, named_source(words->bench, words->key),
	              &trail);
	trail_free(&trail);
}

/* ---- all of them -------------------------------------------------------------- */

void protect_setting(struct workbench *bench, const struct git_setting *found, const char *top)
{
	struct words words = {bench, found->key, top};
	const char *value = found->value;

	switch (found->key->value) {
	case VALUE_DIRECTORY:
		protect_directory(bench, found->key, top, value);
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
	case VALUE_EXCLUDES:
	case VALUE_FOLD:
		return;
	}
}
