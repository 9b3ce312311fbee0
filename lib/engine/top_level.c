#include "engine/top_level.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_link(const struct permissions *permissions, const char *path, struct strings *links)
{
	cleanup_free char *real = realpath(path, NULL);
	char target[PATH_MAX];
	ssize_t len = readlink(path, target, sizeof(target) - 1);

	if (len < 0 || !real || !permissions_show(permissions, real))
		return;
	target[len] = '\0';
	strings_add(links, xstrdup(path + 1));
	strings_add(links, xstrdup(target));
}

/* The engine has its own of these. */
static bool is_engines(const char *name)
{
	return strcmp(name, "proc") == 0 || strcmp(name, "dev") == 0;
}

static void add_name(struct permissions *permissions, const char *name, bool readable,
                     struct strings *links)
{
	cleanup_free char *path = xasprintf("/%s", name);
	struct stat st;

	if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])))
		return;
	if (is_engines(name) || permissions_find(permissions, path) || lstat(path, &st) < 0)
		return;
	if (S_ISLNK(st.st_mode))
		add_link(permissions, path, links);
	/* What the user cannot look into, an engine of the user's cannot mount. */
	else if (readable && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)) &&
	         access(path, S_ISDIR(st.st_mode) ? R_OK | X_OK : R_OK) == 0)
		permissions_add(permissions, path, ACCESS_READ);
}

int top_level_add(struct permissions *permissions, bool readable, struct strings *links,
                  struct error *err)
{
	DIR *dir = opendir("/");
	const struct dirent *found;

	if (!dir)
		return error_system(err, "reading /");
	while ((found = readdir(dir)) != NULL)
		add_name(permissions, found->d_name, readable, links);
	closedir(dir);
	return 0;
}
