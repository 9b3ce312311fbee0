#include "changes/runs_later.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "changes/known_to_tools.h"
#include "fs/path.h"
#include "git/other_repositories.h"
#include "policy/protected_names.h"
#include "trust/sensitive_places.h"

#include <string.h>

static const char git_obeys_it[] = "git runs or obeys it";

/* ---- version control ------------------------------------------------------------- */

static bool exists_after(const struct changes *changes, const char *directory, const char *name)
{
	cleanup_free char *path = path_below(directory, name);
	const struct change *c = changes_find(changes, path);
	struct stat st;

	return c ? c->has : lstat(path, &st) == 0;
}

/* A directory that git takes for a repository, whatever it is called. */
static bool is_repository(const struct changes *changes, const char *directory)
{
	return exists_after(changes, directory, "HEAD") &&
	       (exists_after(changes, directory, "objects") ||
	        exists_after(changes, directory, "commondir"));
}

/* What "git init" leaves, and never runs. */
static bool is_sample(const char *name)
{
	size_t len = strlen(name);

	return len > 7 && strcmp(name + len - 7, ".sample") == 0;
}

/* Of a repository's own files, what names programs or other places. */
static bool is_obeyed(const char *name)
{
	static const char *const names[] = {
	        "config",      "config.worktree",        "commondir", "gitdir", "info/attributes",
	        "info/grafts", "objects/info/alternates"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "hooks/", 6) == 0 && !is_sample(name);
}

/* Below a .git whatever the repository is, and a bare one's by what stands beside it. */
static bool git_obeys(const struct changes *changes, const char *path)
{
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		cleanup_free char *directory = xstrndup(path, (size_t)(slash - path));

		if (!is_obeyed(slash + 1))
			continue;
		if (path_has(directory, ".git") || is_repository(changes, directory))
			return true;
	}
	return false;
}

static bool is_pointer(const struct change *c)
{
	return strcmp(strrchr(c->path, '/'), "/.git") == 0;
}

static bool other_obeys(const char *path)
{
	const struct other_repository *other;

	for (size_t i = 0; (other = other_repository(i)) != NULL; i++) {
		const char *at = strstr(path, other->directory);
		size_t len = strlen(other->directory), file = strlen(other->file);

		for (; at; at = strstr(at + 1, other->directory))
			if (at[-1] == '/' && at[len] == '/' && (other->counts & WHERE_IT_IS_NEW) &&
			    strncmp(at + len + 1, other->file, file) == 0 &&
			    (!at[len + 1 + file] || at[len + 1 + file] == '/'))
				return true;
	}
	return false;
}

/* ---- links, modes ----------------------------------------------------------------- */

static bool is_in_a_root(const struct state *state, const char *path)
{
	for (size_t i = 0; i < state->count; i++)
		if (path_contains(state->roots[i].lower, path))
			return true;
	return false;
}

/* By its words: a link on the way is a change of its own, or was there before. */
static bool leads_out(const struct state *state, const struct change *c)
{
	cleanup_free char *parent = path_parent(c->path);
	cleanup_free char *target = link_text(state, c);
	cleanup_free char *place = target ? path_join(parent, target) : NULL;

	return !place || !is_in_a_root(state, place);
}

static bool is_executable(const struct change *c)
{
	return S_ISREG(c->now.st_mode) && (c->now.st_mode & 0111) && !is_sample(c->path);
}

const char *runs_later(const struct state *state, const struct changes *changes,
                       const struct change *c)
{
	const char *why;

	if (!c->has || !change_is_told(c) || S_ISDIR(c->now.st_mode))
		return NULL;
	if (S_ISREG(c->now.st_mode) && (c->now.st_mode & (S_ISUID | S_ISGID)))
		return "runs as its owner or group";
	if (is_pointer(c) || git_obeys(changes, c->path))
		return git_obeys_it;
	if (other_obeys(c->path))
		return "another version control obeys it";
	if (S_ISLNK(c->now.st_mode) && leads_out(state, c))
		return "leads out of the writable roots";
	why = known_to_tools(c->path);
	/* Of a repository all the rest is only read; that of agents is in the table. */
	if (!why && !inside_protected_name(c->path))
		why = sensitive_path(c->path);
	return why ? why : is_executable(c) ? "can be executed" : NULL;
}
