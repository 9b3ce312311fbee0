#include "broker/ground.h"

#include "base/cleanup.h"
#include "fs/path.h"

#include <dirent.h>
#include <string.h>

/*
 * A directory with more names than this in it is opened by the broker: as many
 * rules would cost more at the start than they save later.
 */
#define NAMES_MAX 1000

/* Something strictly below path has other rights than it. */
static bool differs_below(const struct permissions *permissions, const char *path,
                          bool (*counts)(enum access access))
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];

		if (counts(entry->access) && strcmp(entry->path, path) != 0 &&
		    path_contains(path, entry->path))
			return true;
	}
	return false;
}

static bool is_hidden(enum access access)
{
	return access == ACCESS_NONE;
}

static bool is_kept(enum access access)
{
	return access != ACCESS_WRITE;
}

static void open_what_is_in(const struct permissions *permissions, const char *path,
                            struct permissions *ground);

/* path can be read by the policy.  What is hidden below is left out, by going round it. */
static void open_around_hidden(const struct permissions *permissions, const char *path,
                               struct permissions *ground)
{
	if (permissions_find(permissions, path))
		return; /* it comes by itself */
	if (differs_below(permissions, path, is_hidden)) {
		permissions_add(ground, path, ACCESS_NONE);
		open_what_is_in(permissions, path, ground);
	} else {
		permissions_add(ground, path, ACCESS_READ);
	}
}

static bool is_short(const char *path)
{
	DIR *directory = opendir(path);
	size_t names = 0;

	while (directory && names <= NAMES_MAX && readdir(directory))
		names++;
	if (directory)
		closedir(directory);
	return directory && names <= NAMES_MAX;
}

static void open_what_is_in(const struct permissions *permissions, const char *path,
                            struct permissions *ground)
{
	DIR *directory = is_short(path) ? opendir(path) : NULL;
	const struct dirent *entry;

	while (directory && (entry = readdir(directory)) != NULL) {
		cleanup_free char *below = NULL;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    entry->d_type == DT_LNK)
			continue;
		below = path_below(path, entry->d_name);
		open_around_hidden(permissions, below, ground);
	}
	if (directory)
		closedir(directory);
}

void ground_find(const struct permissions *permissions, struct permissions *ground)
{
	*ground = (struct permissions){.network = permissions->network};
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];

		if (entry->access != ACCESS_NONE &&
		    differs_below(permissions, entry->path, is_hidden)) {
			permissions_add(ground, entry->path, ACCESS_NONE);
			open_what_is_in(permissions, entry->path, ground);
		} else if (entry->access == ACCESS_WRITE &&
		           differs_below(permissions, entry->path, is_kept)) {
			permissions_add(ground, entry->path, ACCESS_READ);
		} else {
			permissions_add(ground, entry->path, entry->access);
		}
	}
}
