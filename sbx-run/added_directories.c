#include "added_directories.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "grant/presets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As a shell has it, for whoever pastes a line where none reads it. */
static void put_home(char **word)
{
	cleanup_free char *home = strncmp(*word, "~/", 2) == 0 ? home_named() : NULL;
	char *whole = home ? path_join(home, *word + 2) : NULL;

	if (!whole)
		return;
	free(*word);
	*word = whole;
}

static int make(const char *path, struct error *err)
{
	cleanup_free char *copy = xstrdup(path);

	for (char *at = copy + 1; *at; at++) {
		at += strcspn(at, "/");
		if (*at == '\0')
			break;
		*at = '\0';
		if (mkdir(copy, 0700) < 0 && errno != EEXIST)
			return error_system(err, "--add-dir: making \"%s\"", copy);
		*at = '/';
	}
	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return error_system(err, "--add-dir: making \"%s\"", path);
	return 0;
}

/* One step after the other and no link followed; -1: it is there, or cannot be made. */
static int make_below(int home, const char *path, bool file)
{
	cleanup_free char *copy = xstrdup(path);
	cleanup_close int at = fcntl(home, F_DUPFD_CLOEXEC, 3);
	char *rest = copy;

	for (const char *name; at >= 0 && (name = strsep(&rest, "/")) != NULL;) {
		int flags = file && !rest ? O_RDWR | O_CREAT | O_EXCL : O_RDONLY | O_DIRECTORY;
		int next;

		if (!(file && !rest) && mkdirat(at, name, 0700) < 0 && errno != EEXIST)
			return -1;
		next = openat(at, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
		close(at);
		at = next;
	}
	return at < 0 ? -1 : 0;
}

/* A variable says where it is: then it is not for us to make. */
static bool is_elsewhere(const struct preset_cache *cache)
{
	return (cache->variable[0] && getenv(cache->variable)) ||
	       (strncmp(cache->place, ".cache/", 7) == 0 && getenv("XDG_CACHE_HOME"));
}

/* What --allow cache:X opens; the policy says what of it cannot be had. */
static void make_cache(const char *preset)
{
	cleanup_free char *path = home_named();
	cleanup_close int home = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	struct preset_cache cache;
	struct stat st;

	if (home < 0 || fstat(home, &st) < 0 || st.st_uid != geteuid())
		return;
	for (size_t i = 0; preset_cache(preset, i, &cache); i++) {
		cleanup_free char *whole =
		        cache.path[0] ? path_below(cache.place, cache.path) : xstrdup(cache.place);

		if (!is_elsewhere(&cache) && make_below(home, whole, cache.file) < 0)
			errno = 0;
	}
}

int added_directories_make(struct arguments *a, struct error *err)
{
	for (size_t i = 0; i + 1 < a->policy_count; i++) {
		struct error none = {0};
		cleanup_free char *path = NULL;
		struct stat st;

		if (strcmp(a->policy[i], "--allow") == 0 && !a->dry_run && !a->explain)
			make_cache(a->policy[i + 1]);
		if (strcmp(a->policy[i], "--add-dir") != 0)
			continue;
		put_home(&a->policy[++i]);
		/* Who only wants to read about it wants nothing made. */
		if (a->dry_run || a->explain || lstat(a->policy[i], &st) == 0 || errno != ENOENT)
			continue;
		path = path_canonical(a->policy[i], &none);
		if (path && below_home(path) && make(path, err) < 0)
			return -1;
	}
	return 0;
}
