#include "patches/patch_repository.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "fs/other_spelling.h"
#include "fs/path.h"
#include "git/other_repositories.h"
#include "git/repository.h"
#include "policy/protected_names.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* A repository's own, or a protected name as only some file systems take it. */
static bool is_own_directory(const char *name)
{
	cleanup_free char *plain = plainest_spelling(name);

	return strcmp(plain, ".git") == 0 || is_other_repository(plain) ||
	       (word_among(plain, protected_names) && strcmp(plain, name) != 0);
}

static bool in_own_directory(const char *path)
{
	cleanup_free char *copy = xstrdup(path);
	char *rest = copy;

	for (char *name; (name = strsep(&rest, "/")) != NULL;)
		if (is_own_directory(name))
			return true;
	return false;
}

/* There already, or by the patch: the name itself or something in it. */
static bool is_there(char *const *files, const char *directory, const char *name)
{
	cleanup_free char *path = path_below(directory, name);
	struct stat st;

	for (; *files; files++)
		if (path_contains(path, *files))
			return true;
	return lstat(path, &st) == 0;
}

static bool has_own_git(const char *git)
{
	struct stat st;

	return (lstat(git, &st) == 0 && S_ISREG(st.st_mode)) || is_git_directory(AT_FDCWD, git);
}

/* HEAD beside objects: git takes the directory for a repository without a working tree. */
static bool makes_bare(const struct permissions *permissions, char *const *files,
                       const char *directory)
{
	cleanup_free char *git = path_below(directory, ".git");

	return permissions_find(permissions, git) && !has_own_git(git) &&
	       is_there(files, directory, "HEAD") &&
	       (is_there(files, directory, "objects") || is_there(files, directory, "commondir"));
}

static bool is_part_of_bare(const char *name)
{
	static const char *const parts[] = {"head", "objects", "commondir", NULL};

	for (const char *const *part = parts; *part; part++)
		if (strncasecmp(name, *part, strlen(*part)) == 0 &&
		    strchr("/", name[strlen(*part)]))
			return true;
	return false;
}

/* Of a file that belongs to what it makes of a writable root; those keep a `.git`. */
static bool belongs_to_bare(const struct permissions *permissions, char *const *files,
                            const char *file)
{
	cleanup_free char *directory = path_parent(file);

	while (directory[1]) {
		char *above = path_parent(directory);

		if (is_part_of_bare(file + strlen(directory) + 1) &&
		    makes_bare(permissions, files, directory)) {
			free(above);
			return true;
		}
		free(directory);
		directory = above;
	}
	return false;
}

bool patch_makes_repository(const struct permissions *permissions, char *const *files,
                            const char *file)
{
	const struct entry *opened;

	permissions_resolve(permissions, file, &opened);
	if (!opened || strcmp(opened->path, file) == 0)
		return false;
	return in_own_directory(file + strlen(opened->path)) ||
	       belongs_to_bare(permissions, files, file);
}
