#include "repositories/left_in_git.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "git/repository.h"
#include "repositories/git_part.h"
#include "repositories/links_in_git.h"
#include "repositories/states_in_git.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static bool is_in_git(const char *path)
{
	return path_has(path, ".git") || is_git_directory(AT_FDCWD, path);
}

/* The walk of another part comes here. */
static bool is_covered(const struct git_parts *parts, const char *path)
{
	cleanup_free char *parent = path_parent(path);

	if (permissions_resolve(parts->permissions, parent, NULL) != ACCESS_WRITE)
		return false;
	for (size_t i = 0; i < parts->count; i++)
		if (path_contains(parts->items[i].path, path))
			return true;
	return false;
}

int git_parts_find(const struct permissions *permissions, struct git_parts *parts,
                   struct error *err)
{
	parts->permissions = permissions;
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		struct git_part part = {.fd = -1};
		cleanup_close int fd = -1;

		if (entry->access != ACCESS_WRITE || !is_in_git(entry->path) ||
		    is_covered(parts, entry->path))
			continue;
		fd = open(entry->path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
			continue;
		if (fd < 0 || clock_gettime(CLOCK_REALTIME_COARSE, &part.began) < 0)
			return error_system(err, "opening \"%s\"", entry->path);
		part.path = xstrdup(entry->path);
		part.fd = keep_fd(&fd);
		links_search(permissions, &part, false);
		if (is_git_directory(part.fd, "."))
			states_remember(&part);
		list_add(parts->items, parts->count, part);
	}
	return 0;
}

static void part_free(struct git_part *part)
{
	for (size_t i = 0; i < part->count; i++) {
		free(part->names[i].path);
		free(part->names[i].target);
	}
	states_free(part);
	free(part->names);
	free(part->path);
	close(part->fd);
}

void git_parts_clean(struct git_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		links_search(parts->permissions, &parts->items[i], true);
		states_judge(&parts->items[i]);
		part_free(&parts->items[i]);
	}
	free(parts->items);
	*parts = (struct git_parts){0};
}
