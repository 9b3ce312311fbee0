#include "trust/trusted_place.h"

#include "base/cleanup.h"
#include "base/strings.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "git/repository.h"
#include "policy/protected_names.h"
#include "policy/slash_tmp.h"
#include "trust/sensitive_places.h"
#include "trust/settings_home.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Of a directory as large as this, what was seen counts for the rest. */
#define ENTRIES_MAX 2000

/* Nothing temporary and no cache is in one of these, whoever owns it. */
static const char *const system_trees[] = {
        "/boot", "/dev",  "/etc", "/proc", "/sys", "/usr", /* the machine's own */
        "/bin",  "/sbin", "/lib", "/opt",                  /* where these are not in /usr */
};

/* Names that say what a directory is for, as a part of them and in any case. */
static const struct {
	enum place_use use;
	const char *word;
} words[] = {
        {USE_TEMPORARY, "tmp"}, {USE_TEMPORARY, "temp"}, {USE_TEMPORARY, "scratch"},
        {USE_CACHE, "cache"},   {USE_CACHE, "tmp"},      {USE_CACHE, "store"},
};

/* The ends of the names of settings, which name programs to run or servers to ask. */
static const char *const settings[] = {".conf", ".cfg", ".ini", ".toml", ".yaml", ".yml", "rc"};

struct place {
	const char *path;
	const struct trail *trail;
	enum place_use use;
	const char *tool;
	const struct permissions *permissions;
	bool sticky;
};

static const char *kind(const struct place *p)
{
	if (p->trail->stopped || !S_ISDIR(p->trail->st.st_mode))
		return "not a directory";
	return path_depth(p->path) == 0 ? "it is the whole file system" : NULL;
}

static const char *links(const struct place *p)
{
	for (size_t i = 0; p->permissions && i < p->trail->count; i++)
		if (permissions_resolve(p->permissions, p->trail->links[i], NULL) == ACCESS_WRITE)
			return "reached through a link in a writable root";
	return NULL;
}

static const char *owner(const struct place *p)
{
	const struct stat *st = &p->trail->st;

	if (p->sticky && p->use == USE_TEMPORARY)
		return st->st_uid == 0 || st->st_uid == geteuid()
		               ? NULL
		               : "neither private to this user nor sticky";
	if (st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH)))
		return NULL;
	return p->use == USE_TEMPORARY ? "neither private to this user nor sticky"
	                               : "not private to this user";
}

static const char *other_roots(const struct place *p)
{
	for (size_t i = 0; p->permissions && i < p->permissions->count; i++)
		if (p->permissions->entries[i].access == ACCESS_WRITE &&
		    path_contains(p->path, p->permissions->entries[i].path))
			return "it contains another writable root";
	return NULL;
}

static const char *of_the_system(const struct place *p)
{
	for (size_t i = 0; i < sizeof(system_trees) / sizeof(system_trees[0]); i++)
		if (path_contains(system_trees[i], p->path) && strcmp(p->path, "/dev/shm") != 0)
			return "it belongs to the system";
	return path_depth(p->path) == 1 && !p->sticky ? "a top-level directory that is not sticky"
	                                              : NULL;
}

static const char *of_a_home(const struct place *p)
{
	cleanup_free char *named = home_named();
	cleanup_free char *registered = home_registered();

	return (named && path_contains(p->path, named)) ||
	                       (registered && path_contains(p->path, registered))
	               ? "it contains the home directory"
	               : NULL;
}

static const char *of_sbx(const struct place *p)
{
	for (unsigned i = 0; i < OWN_PLACES; i++) {
		cleanup_free char *own = own_place(i);

		if (own && (path_contains(own, p->path) || path_contains(p->path, own)))
			return "it holds the configuration of sbx, or is in it";
	}
	return NULL;
}

static const char *of_a_repository(const struct place *p)
{
	cleanup_free char *git = path_join(p->path, ".git");

	if (inside_protected_name(p->path) || inside_git_directory(p->path) ||
	    is_git_directory(AT_FDCWD, git))
		return "it is a repository, or in one's .git";
	return NULL;
}

/* In a home directory: no program keeps anything else there. */
static bool in_settings(const char *home, const char *path)
{
	cleanup_free char *place = home ? path_join(home, ".config") : NULL;

	return place && path_contains(place, path);
}

static bool of_the_user(const char *path)
{
	cleanup_free char *named = home_named();
	cleanup_free char *registered = home_registered();

	return sensitive_path(path) || in_settings(named, path) || in_settings(registered, path);
}

static const char kept[] = "keys, settings or start-up files are kept there";

const char *place_is_kept(const char *path)
{
	return of_the_user(path) || inside_own_place(path) ? kept : NULL;
}

static const char *sensitive(const struct place *p)
{
	cleanup_free char *below = NULL;

	/* What is sbx's own was asked before, but for the places of private /tmp. */
	if (of_the_user(p->path) || inside_tmp_place(p->path))
		return kept;
	below = sensitive_below(p->path, 0);
	return below ? "keys, settings or start-up files are below it" : NULL;
}

static bool is_setting(const char *name)
{
	const char *known;

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		size_t len = strlen(name), end = strlen(settings[i]);

		if (len > end && strcmp(name + len - end, settings[i]) == 0)
			return true;
	}
	/* What a home directory is known by: .ssh, .config, .bashrc. */
	for (size_t i = 0; (known = sensitive_in_home(i)) != NULL; i++)
		if (strlen(name) == strcspn(known, "/") && strncmp(name, known, strlen(name)) == 0)
			return true;
	return false;
}

static bool is_program(DIR *dir, const char *name)
{
	struct stat st;

	return fstatat(dirfd(dir), name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_mode & 0111);
}

/* The protected names are what a run beside this one may stand in for. */
static bool counts(const char *name)
{
	return !word_among(name, protected_names) && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

static bool mentions(const char *path, const char *word)
{
	size_t len = strlen(word);

	for (; strlen(path) >= len; path++)
		if (strncasecmp(path, word, len) == 0)
			return true;
	return false;
}

/* In the home directory only what is below it says something. */
static bool named_for_it(const struct place *p)
{
	cleanup_free char *home = home_named();
	const char *name = home && path_contains(home, p->path) ? p->path + strlen(home) : p->path;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].use == p->use && mentions(name, words[i].word))
			return true;
	return p->tool && mentions(name, p->tool);
}

static const char *contents(const struct place *p)
{
	DIR *dir = p->sticky ? NULL : opendir(p->path);
	const struct dirent *entry;
	const char *why = NULL;
	size_t seen = 0;

	while (dir && !why && seen < ENTRIES_MAX && (entry = readdir(dir)) != NULL) {
		if (!counts(entry->d_name))
			continue;
		seen++;
		if (is_setting(entry->d_name))
			why = "there are settings in it";
		else if (is_program(dir, entry->d_name))
			why = "there are programs in it";
	}
	if (dir)
		closedir(dir);
	if (!why && seen > 0 && !named_for_it(p))
		why = p->use == USE_TEMPORARY ? "it holds other things than temporary files"
		                              : "it holds other things than a cache";
	return why;
}

const char *place_not_writable(const struct trail *trail, enum place_use use, const char *tool,
                               const struct permissions *permissions)
{
	static const char *(*const questions[])(const struct place *) = {
	        kind,      links,  owner,           other_roots, of_the_system,
	        of_a_home, of_sbx, of_a_repository, sensitive,   contents,
	};
	const mode_t shared = S_ISVTX | S_IWOTH;
	const struct place place = {trail->target, trail,
	                            use,           tool,
	                            permissions,   (trail->st.st_mode & shared) == shared};
	const char *why = NULL;

	for (size_t i = 0; !why && i < sizeof(questions) / sizeof(questions[0]); i++)
		why = questions[i](&place);
	return why;
}
