#include "added_directories.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/home_directory.h"
#include "fs/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

int added_directories_make(struct arguments *a, struct error *err)
{
	for (size_t i = 0; i + 1 < a->policy_count; i++) {
		struct error none = {0};
		cleanup_free char *path = NULL;
		struct stat st;

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
