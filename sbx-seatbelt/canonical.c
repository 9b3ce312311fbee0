#include "canonical.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>

static const char *const aliases[] = {"etc", "tmp", "var"};

static size_t first_length(const char *path)
{
	return path[0] == '/' ? strcspn(path + 1, "/") : 0;
}

static bool is_alias(const char *path)
{
	size_t len = first_length(path);

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strlen(aliases[i]) == len && strncmp(path + 1, aliases[i], len) == 0)
			return true;
	return false;
}

const char *canonical_alias(size_t i)
{
	return i < sizeof(aliases) / sizeof(aliases[0]) ? aliases[i] : NULL;
}

bool canonical_may_mean(const char *pattern, const char *alias)
{
	cleanup_free char *first = xstrndup(pattern + 1, first_length(pattern));

	/* Any number of directories has room for /private already. */
	return strcmp(first, "**") != 0 && fnmatch(first, alias, 0) == 0;
}

char *canonical_path(const char *path)
{
	return xasprintf("%s%s", is_alias(path) ? "/private" : "", path);
}

/* As far as it can be seen from here; on another system that may be nothing. */
static int refuse_links(const char *path, struct error *err)
{
	size_t first = is_alias(path) ? 1 + first_length(path) : 0;

	for (size_t end = first; path[end];) {
		cleanup_free char *part = NULL;
		struct stat st;

		end += 1 + strcspn(path + end + 1, "/");
		part = xstrndup(path, end);
		if (lstat(part, &st) < 0)
			return 0;
		if (S_ISLNK(st.st_mode))
			return error_set(
			        err, EXIT_INPUT, "symlinked-root",
			        "writable root \"%s\": \"%s\" is a symbolic link: name the "
			        "directory that it resolves to",
			        path, part);
	}
	return 0;
}

int canonical_permissions(struct permissions *permissions, struct error *err)
{
	struct permissions out = {.network = permissions->network,
	                          .unix_sockets = permissions->unix_sockets};

	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *path = canonical_path(entry->path);

		if (entry->access == ACCESS_WRITE && refuse_links(entry->path, err) < 0) {
			out.unix_sockets = NULL;
			permissions_free(&out);
			return -1;
		}
		permissions_add(&out, path, entry->access);
	}
	for (char **p = out.unix_sockets; p && *p; p++) {
		char *path = canonical_path(*p);

		free(*p);
		*p = path;
	}
	permissions->unix_sockets = NULL;
	permissions_free(permissions);
	*permissions = out;
	return 0;
}
