#include "regions.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <string.h>
#include <strings.h>

bool region_reads(enum access access)
{
	return access != ACCESS_NONE;
}

bool region_writes(enum access access)
{
	return access == ACCESS_WRITE;
}

bool region_hides(enum access access)
{
	return access == ACCESS_NONE;
}

size_t region_git_depth(const char *path)
{
	size_t depth = 0;

	for (; *path; path += strcspn(path, "/")) {
		path++;
		depth += strcspn(path, "/") == 4 && strncasecmp(path, ".git", 4) == 0;
	}
	return depth;
}

/* The entry right above each, or -1: parents come before their children. */
static ssize_t *find_parents(const struct permissions *p)
{
	ssize_t *parents = xrealloc_array(NULL, p->count + 1, sizeof(*parents));

	for (size_t i = 0; i < p->count; i++) {
		ssize_t above = (ssize_t)i - 1;

		while (above >= 0 && !path_contains(p->entries[above].path, p->entries[i].path))
			above = parents[above];
		parents[i] = above;
	}
	return parents;
}

static size_t add_region(struct regions *regions, const struct entry *start)
{
	regions->list = xrealloc_array(regions->list, regions->count + 1, sizeof(*regions->list));
	regions->list[regions->count] = (struct region){.start = start};
	return regions->count++;
}

static void add_hole(struct region *region, const struct entry *hole)
{
	list_add(region->holes, region->hole_count, hole);
}

void regions_make(struct regions *regions, const struct permissions *permissions, region_test *in,
                  bool repositories)
{
	cleanup_free ssize_t *parents = find_parents(permissions);
	/* The region that an entry is in. */
	cleanup_free size_t *where = xrealloc_array(NULL, permissions->count + 1, sizeof(*where));

	*regions = (struct regions){0};
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		const struct entry *above =
		        parents[i] < 0 ? NULL : &permissions->entries[parents[i]];
		bool joined = above && in(above->access);

		if (!in(entry->access)) {
			if (joined)
				add_hole(&regions->list[where[parents[i]]], entry);
		} else if (joined && !(repositories && region_git_depth(entry->path) >
		                                               region_git_depth(above->path))) {
			where[i] = where[parents[i]];
		} else {
			where[i] = add_region(regions, entry);
		}
	}
}

void regions_free(struct regions *regions)
{
	for (size_t i = 0; i < regions->count; i++)
		free(regions->list[i].holes);
	free(regions->list);
	*regions = (struct regions){0};
}
